/**
 * An archive search as address, as form fields and as request.
 *
 * No DOM. The address holds only fields that are set, so that it stays short.
 */

/** @import { SearchWanted } from "../connection/questions.js" */

/**
 * Values by field name; an empty value matches everything.
 * @typedef {{ player: string, opponent: string, mine: string, imported: string, game: string, result: string, rated: string, from: string, to: string }} Query
 */

/** @type {Query} */
export const EMPTY_QUERY = { player: "", opponent: "", mine: "", imported: "", game: "", result: "", rated: "", from: "", to: "" };

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const RESULTS = /** @type {const} */ (["won", "drawn", "lost", "decided", "none"]);

/** @param {string} search The query of an address, such as `?player=ann`. @returns {Query} */
export function readQuery(search) {
  const given = new URLSearchParams(search);
  const names = /** @type {(keyof Query)[]} */ (Object.keys(EMPTY_QUERY));
  return /** @type {Query} */ (Object.fromEntries(names.map((name) => [name, (given.get(name) ?? "").trim()])));
}

/** @param {Partial<Query>} query @returns {string} For an address; empty if no field is set. */
export function writeQuery(query) {
  const given = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ""));
  return given.size === 0 ? "" : `?${given}`;
}

/** @param {Query} query @returns {SearchWanted} Without empty fields. */
export function searchFor({ player, opponent, mine, imported, game, result, rated, from, to }) {
  const isMine = mine !== "";
  const [first, second] = player === "" ? [opponent, ""] : [player, opponent];
  return {
    player: first || undefined,
    opponent: (isMine ? "" : second) || undefined,
    mine: isMine,
    imported: imported !== "",
    game: game || undefined,
    result: RESULTS.find((each) => each === result),
    rated: rated === "" ? undefined : rated === "yes",
    since_ms: dayStart_ms(from, 0),
    until_ms: dayStart_ms(to, 1),
  };
}

/** Whether results are those of a given player. @param {Query} query */
export function hasPlayer({ player, opponent, mine }) {
  return player !== "" || opponent !== "" || mine !== "";
}

/**
 * @param {string} day `2026-11-21`.
 * @param {number} later Days to add.
 * @returns {number | undefined} The start of the day in the reader's time zone.
 */
function dayStart_ms(day, later) {
  if (!DAY.test(day)) return undefined;
  const [year, month, date] = day.split("-").map(Number);
  const start_ms = new Date(year, month - 1, date + later).getTime();
  return Number.isNaN(start_ms) || start_ms < 0 ? undefined : start_ms;
}
