/** Fetches what a game needs to be played on this device, and keeps it if it works in this browser. No DOM. */

import { PlayEngine } from "../engine/play_engine.js";
import { keepPlayable, playableGame } from "./playable_games.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { DeviceStore } from "../offline/device_store.js" */
/** @import { EngineLine } from "../protocol.js" */

/**
 * @param {Connection} connection
 * @param {DeviceStore} store
 * @param {string} game
 */
export async function provideGame(connection, store, game) {
  const kept = await playableGame(store, game);
  const line = await connection.ask({ type: "get_engine_line", line: { game } });
  if (line.module === null || kept?.line.module === line.module) return;
  const { board } = await connection.ask({ type: "preview", game, setup: "" });
  if (await works(line)) await keepPlayable(store, game, line, board);
}

/**
 * Whether the engine loads and can draw the board, which not every game's can. Loading it lets the service worker keep it.
 * @param {EngineLine} line
 */
async function works(line) {
  const engine = new PlayEngine();
  try {
    return (await engine.look(line)).moves.length > 0;
  } catch {
    return false;
  } finally {
    engine.close();
  }
}
