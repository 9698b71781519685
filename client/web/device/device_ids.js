/** The ids of matches that are played on this device, without the server, and the keys of the games kept for them. No DOM. */

const PREFIX = "device-";
/** Between these two keys, in the order of a database, are the ids. */
export const BEFORE_DEVICE_IDS = PREFIX;
export const AFTER_DEVICE_IDS = "device.";

/** @param {unknown} match @returns {boolean} */
export function isOnDevice(match) {
  return typeof match === "string" && match.startsWith(PREFIX);
}

/** @returns {string} */
export function newDeviceId() {
  return PREFIX + crypto.randomUUID();
}

/** @param {string} game @returns {string} The key of what is kept to play it. */
export function keyOfGame(game) {
  return `play ${game}`;
}
