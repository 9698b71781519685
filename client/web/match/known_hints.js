/** Which hints this reader knows by now, stored in the browser: a hint is gone once it has been followed a few times. */

import { recallObject, remember } from "../storage.js";

/** The turns by game and code are kept here. */
const KEY = "millrace.hints.seen";
/** The turns at which a hint is shown, unless the reader says earlier that it is clear. */
const TURNS = 2;

/** @param {string} game @param {string} code Of a remark. */
export function isKnown(game, code) {
  return (recallObject(KEY)[`${game}.${code}`] ?? 0) >= TURNS;
}

/** Count a turn at which a hint was shown. @param {string} game @param {string} code @param {number} [turns] */
export function noteShown(game, code, turns = 1) {
  const seen = recallObject(KEY);
  const key = `${game}.${code}`;
  remember(KEY, JSON.stringify({ ...seen, [key]: (seen[key] ?? 0) + turns }));
}

/** @param {string} game @param {string} code */
export function markKnown(game, code) {
  noteShown(game, code, TURNS);
}
