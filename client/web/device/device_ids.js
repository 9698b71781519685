/** The ids of matches that are played on this device, without the server. No DOM. */

const PREFIX = "device-";

/** @param {unknown} match @returns {boolean} */
export function isOnDevice(match) {
  return typeof match === "string" && match.startsWith(PREFIX);
}

/** @returns {string} */
export function newDeviceId() {
  return PREFIX + crypto.randomUUID();
}
