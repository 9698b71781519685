/**
 * What the address of an analysis names, and the address of what is looked at: links lead to the very position.
 *
 *     /analysis                                     a game of one's choice
 *     /analysis/morris?position=TEXT&moves=d6+f4    a set-up of a game, and moves from there
 *     /analysis/match/ID#12,a1,b4                   a match after 12 plies, and moves from there
 */

/** @import { Root } from "./analysis/position_cache.js" */

/**
 * @typedef {object} Place
 * @property {Root | null} root Null if a game is still to be chosen.
 * @property {number | null} ply In a match; null for its end.
 * @property {string[]} moves From there, or from the set-up.
 */

const MATCH_PATH = /^\/analysis\/match\/([^/]+)\/?$/;
const GAME_PATH = /^\/analysis\/([^/]+)\/?$/;

/**
 * @param {{ pathname: string, search: string, hash: string }} address
 * @returns {Place}
 */
export function placeAt({ pathname, search, hash }) {
  const match = MATCH_PATH.exec(pathname)?.[1];
  if (match !== undefined) {
    const [ply, ...moves] = decodeURIComponent(hash.slice(1)).split(",");
    return { root: { match }, ply: /^\d+$/.test(ply) ? Number(ply) : null, moves };
  }
  const game = GAME_PATH.exec(pathname)?.[1];
  const query = new URLSearchParams(search);
  const moves = (query.get("moves") ?? "").split(" ").filter((move) => move !== "");
  return { root: game === undefined ? null : { game, setup: query.get("position") ?? "" }, ply: null, moves };
}

/**
 * @param {Root} root
 * @param {number} ply Of the match from which the moves go on; 0 for a set-up.
 * @param {readonly string[]} moves
 * @returns {string}
 */
export function addressOf(root, ply, moves) {
  if ("match" in root) return `/analysis/match/${root.match}#${[ply, ...moves].join(",")}`;
  const query = new URLSearchParams();
  if (root.setup !== "") query.set("position", root.setup);
  if (moves.length > 0) query.set("moves", moves.join(" "));
  const text = query.toString();
  return `/analysis/${root.game}${text === "" ? "" : `?${text}`}`;
}
