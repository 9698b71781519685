/** Connecting from a program: the address and the token are given, and problems are errors in words. */

import { PlayerConnection } from "./player_connection.js";
import { ConnectionLostError } from "./connection_lost.js";

/** @import * as Interface from "./millrace.d.mts" */

/**
 * @param {string} address
 * @param {Interface.ConnectOptions} [options]
 * @returns {Promise<Interface.Connection>}
 */
export async function connect(address, { token = "", program = "millrace-javascript" } = {}) {
  if (globalThis.WebSocket === undefined) {
    throw new ConnectionLostError("This Node has no WebSocket. Use Node 22 or newer, or start Node 20 with --experimental-websocket.");
  }
  const connection = new PlayerConnection(socketUrl(address), token, program);
  await connection.connected();
  return /** @type {Interface.Connection} */ (/** @type {unknown} */ (connection));
}

/**
 * @param {string} address `localhost:8000`, `http://host:port` or `wss://host`.
 * @returns {string} The address of the server's socket. Throws TypeError.
 */
export function socketUrl(address) {
  const text = address.includes("://") ? address : `http://${address}`;
  const url = URL.canParse(text) ? new URL(text) : null;
  const isServer = url !== null && ["/", "/socket"].includes(url.pathname);
  const scheme = isServer ? { "http:": "ws", "ws:": "ws", "https:": "wss", "wss:": "wss" }[url.protocol] : undefined;
  if (scheme === undefined) throw new TypeError(`"${address}" is not the address of a server. Use one such as localhost:8000 or https://host.`);
  return `${scheme}://${url?.host}/socket`;
}
