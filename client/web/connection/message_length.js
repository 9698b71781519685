/** The length of messages: what the server would refuse as too long is not sent. No DOM. */

import { later } from "../language/texts.js";
import { MAX_FRAME_BYTES } from "../protocol.js";

/** @import { Refused } from "../protocol.js" */

const TOO_LONG = later("This message is too long: it has {size} bytes, and {most} are allowed.");

/**
 * @param {object} message
 * @returns {Refused | null} The server's answer to a message that is too long; null for others.
 */
export function refusalOfLength(message) {
  const size = new TextEncoder().encode(JSON.stringify(message)).length;
  if (size <= MAX_FRAME_BYTES) return null;
  const values = { size, most: MAX_FRAME_BYTES };
  return { type: "refused", code: "malformed", message: TOO_LONG, id: null, match: null, wording: [{ message: TOO_LONG, values }] };
}
