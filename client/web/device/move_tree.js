/** Legal moves as the prefix tree of their clicks. No DOM. */

/** @import { MoveTree } from "../protocol.js" */

/** @param {{ clicks: string[] }[]} moves No move's clicks begin another's. @returns {MoveTree} */
export function moveTreeOf(moves) {
  /** @type {MoveTree} */
  const root = {};
  for (const { clicks } of moves) {
    let branch = root;
    for (const click of clicks.slice(0, -1)) branch = branch[click] ??= {};
    branch[/** @type {string} */ (clicks.at(-1))] = null;
  }
  return root;
}
