/**
 * Plays a match of random moves against a bot, by the page's JavaScript client, and prints how it ended.
 *
 *   node client/examples/javascript_match.mjs localhost:8000 morris easy
 */

import { Connection } from "../web/connection/connection.js";
import { MatchState } from "../web/match/match_state.js";

/** @import { MoveTree } from "../web/protocol.js" */

/**
 * @param {string} address
 * @param {string} game
 * @param {string} level
 * @returns {Promise<string>} How the match ended.
 */
async function play(address, game, level) {
  const connection = new Connection(`ws://${address}/socket`);
  connection.open();
  await new Promise((resolve) => connection.whenKnown(() => resolve(undefined)));
  const seats = /** @type {const} */ ([
    { occupant: "me", level: null },
    { occupant: "bot", level },
  ]);
  const { match } = await connection.ask({ type: "create", game, seats: [...seats], setup: "", clock: null });
  const state = new MatchState(match, () => connection.player?.id);
  return new Promise((resolve, reject) => {
    let answered = 0;
    connection.follow(state.request(), (message) => {
      state.receive(message);
      if (state.end !== null) resolve(state.end.explanation);
      const { moves, toMove } = state;
      if (!state.isLoaded || moves === null || toMove === null || answered === state.turnFrom) return;
      answered = state.turnFrom;
      connection.command({ type: "play", match, seat: toMove, move: randomMove(moves).join(" ") }).catch(reject);
    });
  });
}

/**
 * @param {MoveTree} moves Legal moves as a prefix tree of clicks.
 * @returns {string[]} The clicks of one of them.
 */
function randomMove(moves) {
  const clicks = Object.keys(moves);
  const click = clicks[Math.floor(Math.random() * clicks.length)];
  const rest = /** @type {MoveTree | null} */ (moves[click]);
  return rest === null ? [click] : [click, ...randomMove(rest)];
}

/** @type {any} */
const { process } = globalThis;
const [address = "localhost:8000", game = "morris", level = "easy"] = process.argv.slice(2);
process.stdout.write(`${await play(address, game, level)}\n`);
process.exit();
