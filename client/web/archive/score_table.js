/** Won, drawn and lost matches by game, with a total for several games. */

import { element } from "../element.js";
import { gettext, later } from "../language/texts.js";

/** @import { GameInfo, GameScore } from "../protocol.js" */

/** @typedef {{ won: number, drawn: number, lost: number }} Score */

/** @param {GameScore[]} scores @param {GameInfo[]} games @param {string} caption For screen readers. */
export function scoreTable(scores, games, caption) {
  const titleOf = (/** @type {string} */ game) => games.find(({ name }) => name === game)?.title ?? game;
  const rows = scores.map((score) => row(titleOf(score.game), score));
  return element(
    "table",
    { class: "rating-table scores" },
    element("caption", { class: "visually-hidden" }, caption),
    element("thead", {}, element("tr", {}, ...[later("Game"), later("Won"), later("Drawn"), later("Lost")].map(column))),
    element("tbody", {}, ...rows, ...(scores.length > 1 ? [row(gettext("All games"), total(scores))] : [])),
  );
}

/** @param {GameScore[]} scores @returns {Score} */
export function total(scores) {
  const sum = (/** @type {keyof Score} */ name) => scores.reduce((count, score) => count + score[name], 0);
  return { won: sum("won"), drawn: sum("drawn"), lost: sum("lost") };
}

/** @param {string} head */
function column(head) {
  return element("th", { scope: "col", class: head === "Game" ? "" : "number" }, gettext(head));
}

/** @param {string} title @param {Score} score */
function row(title, { won, drawn, lost }) {
  const counts = [won, drawn, lost].map((count) => element("td", { class: "number" }, String(count)));
  return element("tr", {}, element("th", { scope: "row" }, title), ...counts);
}
