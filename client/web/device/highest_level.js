/** The strongest bot that plays on a device: the one above needs more, time and tables of endings. */
export const HIGHEST_LEVEL = 7;
