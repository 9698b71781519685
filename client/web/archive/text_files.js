/**
 * The text of a file with matches: in UTF-8, UTF-16, or else, line by line, in the encoding that the reader chooses.
 */

/** Encodings of older programs, the most usual first. */
export const ENCODINGS = ["windows-1252", "windows-1250", "windows-1251", "koi8-r", "windows-1253", "windows-1254", "windows-1257", "shift_jis", "gb18030"];

/** The first bytes, whose zeros show UTF-16 without a mark. */
const LOOKED_AT = 4096;
const NEW_LINE = 10;

/** @param {Uint8Array} bytes @returns {string | null} The text; null if it is in another encoding than Unicode's. */
export function unicodeText(bytes) {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  const start = bytes.subarray(0, LOOKED_AT);
  if (start.includes(0)) {
    const zeros = [0, 0];
    start.forEach((byte, index) => (zeros[index % 2] += byte === 0 ? 1 : 0));
    return new TextDecoder(zeros[1] >= zeros[0] ? "utf-16le" : "utf-16be").decode(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** @param {Uint8Array} bytes @param {string} encoding @returns {string} The text; lines in UTF-8 are read as such. */
export function textIn(bytes, encoding) {
  return linesOf(bytes)
    .map((line) => lineText(line, encoding))
    .join("");
}

/**
 * The lines of a file that several programs may have written, with their ends.
 *
 * @param {Uint8Array} bytes
 * @returns {Uint8Array[]}
 */
function linesOf(bytes) {
  const lines = [];
  let begin = 0;
  for (let end = bytes.indexOf(NEW_LINE); end >= 0; end = bytes.indexOf(NEW_LINE, begin)) {
    lines.push(bytes.subarray(begin, end + 1));
    begin = end + 1;
  }
  return [...lines, bytes.subarray(begin)];
}

/** @param {Uint8Array} line @param {string} encoding */
function lineText(line, encoding) {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(line);
  } catch {
    return new TextDecoder(encoding).decode(line);
  }
}
