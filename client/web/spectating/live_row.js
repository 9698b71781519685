/** A row of the list of live matches: players with ratings, and facts; a link to watch. */

import { clockText } from "../clock_texts.js";
import { element } from "../element.js";
import { ngettext } from "../language/texts.js";
import { moveCountText } from "../move_count.js";
import { markedName } from "../players/bot_mark.js";
import { ratingNumber, speedName } from "../ratings/rating_texts.js";

/** @import { GameInfo, MatchSummary } from "../protocol.js" */

/** @param {MatchSummary} summary @param {GameInfo[]} games @param {boolean} hasTitle Whether to name the game. */
export function liveRow(summary, games, hasTitle) {
  return element(
    "li",
    {},
    element(
      "a",
      { class: "entry live-match", href: `/match/${summary.match}`, "data-match": summary.match },
      element("span", { class: "live-players" }, ...ratedNames(summary)),
      element("span", { class: "live-facts" }, liveFacts(summary, games, hasTitle)),
    ),
  );
}

/** @param {MatchSummary} summary @returns {(Node | string)[]} `Ann 1712 – Ben 1689`. */
function ratedNames({ players, bots = [], ratings = [] }) {
  return players.flatMap((name, seat) => {
    const rating = ratings[seat] ?? null;
    const number = rating === null ? [] : [" ", element("span", { class: "live-rating" }, ...ratingNumber(rating.rating, rating.provisional ?? false))];
    return [seat === 0 ? "" : " – ", ...markedName({ name, bot: bots.includes(seat) }), ...number];
  });
}

/** @param {MatchSummary} summary @param {GameInfo[]} games @param {boolean} hasTitle */
function liveFacts(summary, games, hasTitle) {
  const { speed = "untimed", clock, plies, spectators } = summary;
  const facts = [
    summary.exhibition ? "exhibition" : null,
    hasTitle ? (games.find(({ name }) => name === summary.game)?.title ?? summary.game) : null,
    clock === null || clock.renews ? clockText(clock) : `${clockText(clock)} ${speedName(speed).toLowerCase()}`,
    summary.rated ? "rated" : null,
    moveCountText(plies, summary.players.length),
    spectators > 0 ? ngettext("{count} watching", "{count} watching", spectators) : null,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}

/** The facts of a live match: clock, moves and spectators. @param {MatchSummary} summary @param {GameInfo[]} games */
export function liveNote(summary, games) {
  return liveFacts(summary, games, false);
}

/** Replace the rows, keeping the focus if its row remains. @param {HTMLElement} list @param {HTMLElement[]} rows */
export function showRows(list, rows) {
  const focused = list.contains(document.activeElement) ? document.activeElement?.getAttribute("data-match") : null;
  list.replaceChildren(...rows);
  const again = focused ? list.querySelector(`[data-match="${CSS.escape(focused)}"]`) : null;
  if (again instanceof HTMLElement) again.focus();
}
