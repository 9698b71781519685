/** Long texts, cut into parts that fit in a message each. No DOM. */

import { MAX_FRAME_BYTES } from "../protocol.js";

/** Room for the id of the message, and the numbers of the part and of all parts. */
const ID_BYTES = 128;

const encoder = new TextEncoder();

/**
 * @param {string} text
 * @param {number} mostCharacters Of a part.
 * @param {object} whole The message with everything but its id and the part.
 * @returns {string[]} An empty text is one part.
 */
export function partsOf(text, mostCharacters, whole) {
  const mostBytes = MAX_FRAME_BYTES - bytesOf(whole) - ID_BYTES;
  const parts = [];
  for (let begin = 0; begin < text.length || parts.length === 0; ) {
    let size = mostCharacters;
    while (size > 1 && bytesOf(text.slice(begin, begin + size)) > mostBytes) size = Math.floor(size * 0.8);
    // Do not cut a surrogate pair.
    if (/[\uD800-\uDBFF]$/.test(text.slice(begin, begin + size))) size -= 1;
    parts.push(text.slice(begin, begin + size));
    begin += Math.max(1, size);
  }
  return parts;
}

/** @param {unknown} value */
function bytesOf(value) {
  return encoder.encode(JSON.stringify(value)).length;
}
