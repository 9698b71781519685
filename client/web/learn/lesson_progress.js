/** Which steps of each lesson this reader has done, stored in the browser. */

import { recallObject, remember } from "../storage.js";

const KEY = "millrace.lessons";

/** @param {string} game @returns {ReadonlySet<number>} The indices of the steps. */
export function doneSteps(game) {
  return new Set(recallObject(KEY)[game] ?? []);
}

/** @param {string} game @param {number} step */
export function markDone(game, step) {
  const done = new Set(doneSteps(game)).add(step);
  remember(KEY, JSON.stringify({ ...recallObject(KEY), [game]: [...done].sort((one, other) => one - other) }));
}
