/** Variations stored in this browser, so that a reload loses nothing. */

import { recall, remember } from "../storage.js";

/** @import { Stored } from "./line_tree.js" */

const KEY = "millrace.lines";
/** Stored trees; the oldest are dropped first. */
const MAX_TREES = 20;

/** @param {string} root The start of the lines. @returns {Stored[]} */
export function savedLines(root) {
  return read().find(([name]) => name === root)?.[1] ?? [];
}

/** @param {string} root @param {Stored[]} lines */
export function saveLines(root, lines) {
  const others = read().filter(([name]) => name !== root);
  /** @type {[string, Stored[]][]} */
  const all = lines.length === 0 ? others : [[root, lines], ...others];
  remember(KEY, JSON.stringify(all.slice(0, MAX_TREES)));
}

/** @returns {[root: string, lines: Stored[]][]} */
function read() {
  try {
    return JSON.parse(recall(KEY) ?? "[]");
  } catch {
    return [];
  }
}
