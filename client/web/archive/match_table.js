/**
 * A table of finished matches: players, result, game, how it ended, and when.
 *
 * ARIA roles are explicit because some browsers drop them when narrow windows change the layout of rows.
 */

import { clockText } from "../clock_texts.js";
import { dateAndTimeText } from "../dates.js";
import { element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext, later } from "../language/texts.js";
import { moveCountText } from "../move_count.js";
import { playerLink } from "../players/player_link.js";

/** @import { Child } from "../element.js" */
/** @import { GameInfo, PastMatch, Player } from "../protocol.js" */

/** Texts for reasons that do not read well themselves. @type {{ [reason: string]: string }} */
const REASONS = {
  time: later("on time"),
  quiet_limit: later("no progress"),
  no_show: later("not started"),
  aborted: later("aborted"),
  resignation: later("resignation"),
  absence: later("absence"),
  agreement: later("agreement"),
  repetition: later("repetition"),
  declined: later("declined"),
  unknown: later("unknown"),
};

export class MatchTable {
  #rows = element("tbody", { role: "rowgroup" });

  /** @param {string} caption */
  constructor(caption) {
    const heads = [gettext("Players"), gettext("Result"), gettext("Match"), gettext("Ending"), gettext("Date")];
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
   * Add rows. If they continue the list, the first gets the focus.
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

/** @param {PastMatch} past @param {GameInfo[]} games */
function row(past, games) {
  const title = games.find(({ name }) => name === past.game)?.title ?? past.game;
  const kind = past.imported ? gettext("imported") : `${clockText(past.clock)} · ${past.rated ? gettext("rated") : gettext("casual")}`;
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
    element("td", { role: "cell", class: "how soft" }, `${reasonText(past)}, ${moveCountText(past.plies ?? 0, past.players.length)}`),
    element("td", { role: "cell", class: "when soft" }, dateAndTimeText(past.ended_ms)),
  );
}

/** Two players by seat, more by rank; winners are highlighted. @param {PastMatch} past @returns {Child[]} */
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
  return player === null ? gettext("empty seat") : playerLink(player);
}

/**
 * @param {PastMatch} past
 * @returns {string} `1–0`, `½–½`, with more than two players `won`, `shared win` or `draw`; `void` if a moderator voided it.
 */
function resultText({ ranks, void: isVoid }) {
  if (isVoid) return gettext("void");
  if (ranks === null) return gettext("no result");
  if (ranks.length > 2) return new Set(ranks).size === 1 ? gettext("draw") : ranks.filter((rank) => rank === 1).length > 1 ? gettext("shared win") : gettext("won");
  if (ranks[0] === ranks[1]) return "½–½";
  return ranks[0] === 1 ? "1–0" : "0–1";
}

/** @param {PastMatch} past */
function reasonText({ game, reason = "" }) {
  return reason in REASONS ? gettext(REASONS[reason]) : gameText({ name: game }, reason.replaceAll("_", " "));
}
