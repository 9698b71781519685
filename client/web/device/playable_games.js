/**
 * The games that can be played on this device: what the server says of their standard starts, and their engines.
 *
 * All of it is of the release of this page, or is not used: its engine may not fit another one's. No DOM.
 */

import { later } from "../language/texts.js";
import { keyOfGame } from "./device_ids.js";

/** @import { DeviceStore } from "../offline/device_store.js" */
/** @import { Board, EngineLine } from "../protocol.js" */

/** @typedef {{ release: string, line: EngineLine, board: Board }} PlayableGame */

export const NO_STORAGE = later("Your browser does not let this page save anything, as in some private windows, so nothing is available offline.");
/** Any address of this release. */
const RELEASE = new URL("../icon.svg", import.meta.url).href;

/** @param {DeviceStore} store @param {string} game @param {EngineLine} line Its standard start. @param {Board} board */
export async function keepPlayable(store, game, line, board) {
  await store.put("answers", { key: keyOfGame(game), at_ms: Infinity, answer: { release: RELEASE, line, board } });
}

/** @param {DeviceStore} store @param {string} game @returns {Promise<PlayableGame | null>} Null if it is not kept. */
export async function playableGame(store, game) {
  const kept = /** @type {PlayableGame | undefined} */ ((await store.get("answers", keyOfGame(game)))?.answer);
  return kept?.release === RELEASE ? kept : null;
}
