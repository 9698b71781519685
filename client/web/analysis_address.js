/**
 * Addresses of analyses; a link leads to the exact position.
 *
 *     /analysis                                     choose a game
 *     /analysis/morris?position=TEXT&moves=d6+f4    a position of a game, and moves from it
 *     /analysis/match/ID#12,a1,b4                   a match after 12 plies, and moves from it
 *     /study/ID#d6,f4                               a study, and moves in it
 *     /editor/morris?position=TEXT                  setting up a position by hand
 */

/** @import { Root } from "./analysis/position_cache.js" */

/**
 * @typedef {object} Place
 * @property {Root | null} root Null if no game is named.
 * @property {number | null} ply The ply of the match; null for its end.
 * @property {string[]} moves Moves from that position.
 * @property {string} study The id of the study to load; empty for none.
 */

const MATCH_PATH = /^\/analysis\/match\/([^/]+)\/?$/;
const STUDY_PATH = /^\/study\/([^/]+)\/?$/;
const GAME_PATH = /^\/analysis\/([^/]+)\/?$/;

/** @param {{ pathname: string, search: string, hash: string }} address @returns {Place} */
export function placeAt({ pathname, search, hash }) {
  const study = STUDY_PATH.exec(pathname)?.[1] ?? "";
  if (study !== "") {
    const moves = decodeURIComponent(hash.slice(1)).split(",");
    return { root: null, ply: null, moves: moves.filter((move) => move !== ""), study };
  }
  const match = MATCH_PATH.exec(pathname)?.[1];
  if (match !== undefined) {
    const [ply, ...moves] = decodeURIComponent(hash.slice(1)).split(",");
    return { root: { match }, ply: /^\d+$/.test(ply) ? Number(ply) : null, moves, study };
  }
  const game = GAME_PATH.exec(pathname)?.[1];
  const query = new URLSearchParams(search);
  const moves = (query.get("moves") ?? "").split(" ").filter((move) => move !== "");
  return { root: game === undefined ? null : { game, setup: query.get("position") ?? "" }, ply: null, moves, study };
}

/**
 * @param {Root} root
 * @param {number} ply The ply of the match where the moves start; 0 for a set-up.
 * @param {readonly string[]} moves
 */
export function addressOf(root, ply, moves) {
  if ("match" in root) return `/analysis/match/${root.match}#${[ply, ...moves].join(",")}`;
  const query = new URLSearchParams();
  if (root.setup !== "") query.set("position", root.setup);
  if (moves.length > 0) query.set("moves", moves.join(" "));
  const text = query.toString();
  return `/analysis/${root.game}${text === "" ? "" : `?${text}`}`;
}

/** @param {string} study @param {readonly string[]} moves */
export function studyAddressOf(study, moves) {
  return `/study/${study}${moves.length === 0 ? "" : `#${moves.join(",")}`}`;
}

/** @param {string} game @param {string} setup @returns {string} The address at which the position is set up by hand. */
export function editorAddressOf(game, setup) {
  return `/editor/${game}${setup === "" ? "" : `?${new URLSearchParams({ position: setup })}`}`;
}
