/**
 * Downloads for offline use: the games' engines, lessons, a puzzle of each game, and the reader's last matches.
 *
 * Fetched while the browser is idle, one after the other, and only once for each device.
 */

/** @import { Connection } from "../connection/connection.js" */
/** @import { Line } from "../protocol.js" */
/** @import { OfflineMemory } from "./offline_memory.js" */

const PAUSE_MS = 150;
const LAST_MATCHES = 10;

/** @param {Connection} connection @param {OfflineMemory} memory */
export async function fetchProvisions(connection, memory) {
  if (memory.isAway) return;
  const device = await memory.device;
  for (const { name } of connection.games) await device.provide(name).catch(() => undefined);
  const found = await connection.ask({ type: "search_matches", mine: true });
  for (const { match } of found.matches.slice(0, LAST_MATCHES)) await fetchMatch(connection, memory, match);
  const kept = await memory.store.list("puzzles");
  for (const { name, has_lesson, puzzles } of connection.games) {
    if (has_lesson && !(await memory.has({ type: "get_lesson", game: name }))) await fetchLesson(connection, name);
    if (puzzles > 0 && !kept.some(({ answer }) => answer.game === name)) await fetchPuzzle(connection, name);
  }
}

/** @param {Connection} connection @param {OfflineMemory} memory @param {string} match */
async function fetchMatch(connection, memory, match) {
  if (memory.isFollowed(match) || (await memory.store.get("matches", match)) !== null) return;
  const end = connection.follow({ type: "watch", match, glance: true, since: 0 }, () => {});
  await pause(PAUSE_MS * 4);
  end();
}

/**
 * The positions that each step starts with, and those after the moves that it accepts.
 * @param {Connection} connection
 * @param {string} game
 */
async function fetchLesson(connection, game) {
  const { steps } = await connection.ask({ type: "get_lesson", game });
  for (const { line, accepted, reply } of steps) {
    await fetchLine(connection, line);
    for (const move of accepted) {
      await fetchEnd(connection, line, [move]);
      // The reply need not be legal after each of the moves.
      if (reply !== "") await fetchEnd(connection, line, [move, reply]).catch(() => undefined);
    }
  }
}

/** @param {Connection} connection @param {string} game */
async function fetchPuzzle(connection, game) {
  const { line } = await connection.ask({ type: "get_puzzle", game, mode: "rated", theme: "", puzzle: "" });
  await fetchLine(connection, line);
}

/**
 * The end of a line, and the position before, as a board shows them.
 * @param {Connection} connection
 * @param {Line} line
 */
async function fetchLine(connection, line) {
  await fetchEnd(connection, line, []);
  const { moves = [] } = line;
  if (moves.length > 0) await fetchEnd(connection, { ...line, moves: moves.slice(0, -1) }, []);
}

/** @param {Connection} connection @param {Line} line @param {string[]} further Moves after it. */
async function fetchEnd(connection, { game = "", setup = "", moves = [] }, further) {
  await pause(PAUSE_MS);
  await connection.ask({ type: "explore", line: { game, setup, moves: [...moves, ...further] } });
}

/** @param {number} ms @returns {Promise<void>} */
function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
