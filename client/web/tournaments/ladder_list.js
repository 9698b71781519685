/** A list of ladders, with places. */

import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";

/** @import { GameInfo, LadderSummary } from "../protocol.js" */

/** @param {LadderSummary[]} ladders @param {GameInfo[]} games @param {string} title @returns {HTMLElement[]} A section; nothing without ladders. */
export function ladderSection(ladders, games, title) {
  if (ladders.length === 0) return [];
  const entries = ladders.map((ladder) => element("li", {}, entry(ladder, games)));
  return [element("section", { class: "card", "aria-label": title }, element("h2", {}, title), element("ul", { class: "entries" }, ...entries))];
}

/** @param {LadderSummary} summary @param {GameInfo[]} games */
function entry(summary, games) {
  const { ladder, players, you = null } = summary;
  return element(
    "a",
    { class: "entry tournament-entry", href: `/tournament/${ladder}` },
    element("strong", {}, ladderTitle(summary, games)),
    element("span", { class: "soft" }, you === null ? ngettext("{count} player", "{count} players", players) : gettext("Place {place} of {players}", { place: you, players })),
  );
}

/** @param {LadderSummary} summary @param {GameInfo[]} games @returns {string} `Ming Mang`, `Ming Mang for bots`. */
export function ladderTitle({ game, bots }, games) {
  const title = games.find(({ name }) => name === game)?.title ?? game;
  return bots ? gettext("{game} for bots", { game: title }) : title;
}
