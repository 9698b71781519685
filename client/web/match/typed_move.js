/**
 * A typed move, parsed with the tree of legal moves alone. No DOM.
 *
 * Clicks may be separated by any of the signs that notations use, or by none: `g4-g7xd2`, `g4 g7 d2`.
 */

/** @import { MoveTree } from "../protocol.js" */

const SEPARATORS = /^[\s\-‐‑–—−→:,.>x×]+/;

/**
 * @param {MoveTree | null} tree The legal moves.
 * @param {string} text
 * @returns {string[] | null} The clicks of a legal move, or of its beginning; null if no move starts like this.
 */
export function typedClicks(tree, text) {
  const clicks = follow(tree, text.normalize("NFKC").trim().toLowerCase());
  return clicks === null || clicks.length === 0 ? null : clicks;
}

/** @param {MoveTree | null} tree @returns {string} The first legal move, as it may be typed; empty if there is none. */
export function exampleMove(tree) {
  const clicks = [];
  for (let branch = tree; branch !== null && branch !== undefined; ) {
    const [key] = Object.keys(branch);
    if (key === undefined) break;
    clicks.push(key);
    branch = branch[key];
  }
  return clicks.join("-");
}

/** @param {MoveTree | null} branch @param {string} rest What is left of the text. @returns {string[] | null} */
function follow(branch, rest) {
  if (rest === "") return [];
  // The longest first: of a1 and a10, the text a10 means the latter.
  for (const key of Object.keys(branch ?? {}).sort((one, other) => other.length - one.length)) {
    if (!rest.startsWith(key.toLowerCase())) continue;
    const further = follow(branch?.[key] ?? null, rest.slice(key.length));
    if (further !== null) return [key, ...further];
  }
  const bare = rest.replace(SEPARATORS, "");
  return bare === rest ? null : follow(branch, bare);
}
