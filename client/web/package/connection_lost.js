/** The error of everything that waits when a connection is over. */

export class ConnectionLostError extends Error {}
