/**
 * Matches that are over as a table, seen by nobody in particular: who played and came where, what, how it ended, when.
 *
 * Roles are said in so many words since narrow windows lay the rows out anew, by which some browsers lose them.
 */

import { clockText } from "../clock_texts.js";
import { dateText } from "../dates.js";
import { element } from "../element.js";
import { playerLink } from "../players/player_link.js";

/** @import { Child } from "../element.js" */
/** @import { GameInfo, PastMatch, Player } from "../protocol.js" */

/** Of reasons that do not say themselves what they are. @type {{ [reason: string]: string }} */
const REASONS = { time: "on time", quiet_limit: "no progress", no_show: "not begun", aborted: "called off" };

export class MatchTable {
  #rows = element("tbody", { role: "rowgroup" });

  /** @param {string} caption */
  constructor(caption) {
    const heads = ["Players", "Result", "Match", "How it ended", "Played"];
    const columns = heads.map((head) => element("th", { scope: "col", role: "columnheader" }, head));
    this.element = element(
      "table",
      { class: "rating-table archive-table", role: "table" },
      element("caption", { class: "visually-hidden" }, caption),
      element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...columns)),
      this.#rows,
    );
  }

  /**
   * Add rows; the first of them gets the focus if they continue a list that is being read.
   * @param {PastMatch[]} matches
   * @param {GameInfo[]} games
   * @param {boolean} isContinued
   */
  add(matches, games, isContinued) {
    const rows = matches.map((match) => row(match, games));
    this.#rows.append(...rows);
    if (isContinued) rows[0]?.querySelector("a")?.focus();
  }
}

/**
 * @param {PastMatch} past
 * @param {GameInfo[]} games
 */
function row(past, games) {
  const title = games.find(({ name }) => name === past.game)?.title ?? past.game;
  const kind = past.imported ? "imported" : `${clockText(past.clock)} · ${past.rated ? "rated" : "casual"}`;
  const plies = past.plies ?? 0;
  return element(
    "tr",
    { role: "row" },
    element("td", { role: "cell", class: "who" }, ...players(past)),
    element("td", { role: "cell", class: "result" }, resultText(past)),
    element(
      "td",
      { role: "cell", class: "which" },
      element("a", { href: `/match/${past.match}` }, title),
      element("span", { class: "soft" }, ` ${kind}`),
    ),
    element("td", { role: "cell", class: "how soft" }, `${reasonText(past)}, ${plies} ${plies === 1 ? "move" : "moves"}`),
    element("td", { role: "cell", class: "when soft" }, dateText(past.ended_ms)),
  );
}

/**
 * Of two by seat, of more by rank, winners standing out.
 * @param {PastMatch} past
 * @returns {Child[]}
 */
function players({ players, ranks, void: isVoid }) {
  const seats = [...players.keys()];
  if (players.length > 2 && ranks !== null) seats.sort((one, other) => ranks[one] - ranks[other] || one - other);
  const isDecided = ranks !== null && !isVoid && new Set(ranks).size > 1;
  return seats.flatMap((seat, index) => [
    index === 0 ? "" : players.length > 2 ? ", " : " – ",
    element("span", { class: isDecided && ranks[seat] === 1 ? "winner" : "" }, nameOf(players[seat])),
  ]);
}

/** @param {Player | null} player */
function nameOf(player) {
  return player === null ? "nobody" : playerLink(player);
}

/**
 * @param {PastMatch} past
 * @returns {string} `1–0`, `½–½`, of more than two whether somebody won; `void` if a moderator has declared it so.
 */
function resultText({ ranks, void: isVoid }) {
  if (isVoid) return "void";
  if (ranks === null) return "no result";
  if (ranks.length > 2) return new Set(ranks).size === 1 ? "a draw" : ranks.filter((rank) => rank === 1).length > 1 ? "shared" : "won";
  if (ranks[0] === ranks[1]) return "½–½";
  return ranks[0] === 1 ? "1–0" : "0–1";
}

/**
 * @param {PastMatch} past
 * @returns {string}
 */
function reasonText({ reason = "" }) {
  return REASONS[reason] ?? reason.replaceAll("_", " ");
}
