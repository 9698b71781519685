/** The head-to-head score of two players, in total and by game. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { pointsText } from "../points_text.js";
import { writeQuery } from "./query.js";
import { scoreTable, total } from "./score_table.js";

/** @import { Crosstable, GameInfo, Player } from "../protocol.js" */

/** @param {Crosstable} table @param {GameInfo[]} games */
export function crosstable({ players: [one, other], scores }, games) {
  const all = total(scores);
  return element(
    "div",
    { class: "crosstable" },
    element(
      "p",
      { class: "crosstable-score" },
      element("span", { class: "crosstable-name" }, playerLink(one)),
      element("strong", {}, `${pointsText(2 * all.won + all.drawn)} – ${pointsText(2 * all.lost + all.drawn)}`),
      element("span", { class: "crosstable-name" }, playerLink(other)),
    ),
    scoreTable(scores, games, gettext("Matches of {player} against {opponent}", { player: one.name, opponent: other.name })),
  );
}

/** The address of all matches between two players. @param {Player} one @param {Player} other */
export function matchesBetweenPath(one, other) {
  return `/archive${writeQuery({ player: searchName(one), opponent: searchName(other) })}`;
}

/** The player's name, or id, as the archive finds it. @param {Player} player */
export function searchName(player) {
  return typeof player.level === "number" ? player.id : player.name;
}
