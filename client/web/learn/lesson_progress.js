/** Which steps of each lesson this reader has done, stored in the browser. */

import { recall, remember } from "../storage.js";

const KEY = "millrace.lessons";

/** @param {string} game @returns {ReadonlySet<number>} The indices of the steps. */
export function doneSteps(game) {
  return new Set(read()[game] ?? []);
}

/** @param {string} game @param {number} step */
export function markDone(game, step) {
  const done = new Set(doneSteps(game)).add(step);
  remember(KEY, JSON.stringify({ ...read(), [game]: [...done].sort((one, other) => one - other) }));
}

/** @returns {Record<string, number[]>} */
function read() {
  try {
    const stored = JSON.parse(recall(KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}
