/**
 * A table of a player's latest matches: result, opponents, game and rating change.
 *
 * ARIA roles are explicit because some browsers drop them when narrow windows change the layout of rows.
 */

import { clockText } from "../clock_texts.js";
import { dateText } from "../dates.js";
import { element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";
import { changeBadge } from "./rating_texts.js";

/** @import { Child } from "../element.js" */
/** @import { GameInfo, PastMatch } from "../protocol.js" */

const PLACES = [later("1st of {count}"), later("2nd of {count}"), later("3rd of {count}"), later("4th of {count}")];
const SHARED_PLACES = [later("Shared 1st of {count}"), later("Shared 2nd of {count}"), later("Shared 3rd of {count}")];

/** @param {PastMatch[]} matches @param {string} player The player's id. @param {GameInfo[]} games */
export function pastMatches(matches, player, games) {
  if (matches.length === 0) return element("p", { class: "empty-note" }, gettext("No finished matches yet."));
  const heads = [gettext("Result"), gettext("Opponent"), gettext("Match"), gettext("Rating"), gettext("Date")];
  const columns = heads.map((head) => element("th", { scope: "col", role: "columnheader" }, head));
  return element(
    "table",
    { class: "rating-table past-matches", role: "table" },
    element("caption", { class: "visually-hidden" }, gettext("Latest matches")),
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...columns)),
    element("tbody", { role: "rowgroup" }, ...matches.map((match) => row(match, player, games))),
  );
}

/** @param {PastMatch} past @param {string} player @param {GameInfo[]} games */
function row(past, player, games) {
  const own = past.players.findIndex((each) => each?.id === player);
  const { words, tone } = resultOf(past, own);
  const title = games.find(({ name }) => name === past.game)?.title ?? past.game;
  const change = past.changes[own];
  return element(
    "tr",
    { role: "row" },
    element("td", { role: "cell", class: "result", "data-tone": tone }, words),
    element("td", { role: "cell", class: "against" }, ...opponents(past, own)),
    element(
      "td",
      { role: "cell", class: "which" },
      element("a", { href: `/match/${past.match}` }, title),
      element("span", { class: "soft" }, ` ${clockText(past.clock)} · ${past.rated ? gettext("rated") : gettext("casual")}`),
    ),
    element("td", { role: "cell", class: "change" }, ...(change ? [`${change.after} `, changeBadge(change)] : ["–"])),
    element("td", { role: "cell", class: "when soft" }, dateText(past.ended_ms)),
  );
}

/** @param {PastMatch} past @param {number} own @returns {{ words: string, tone: "won" | "lost" | "even" | "none" }} */
function resultOf({ ranks, void: isVoid }, own) {
  if (isVoid) return { words: gettext("Void"), tone: "none" };
  const rank = ranks?.[own];
  if (ranks === null || rank === undefined) return { words: gettext("No result"), tone: "none" };
  const isShared = ranks.filter((other) => other === rank).length > 1;
  if (ranks.length === 2) {
    if (isShared) return { words: gettext("Draw"), tone: "even" };
    return rank === 1 ? { words: gettext("Won"), tone: "won" } : { words: gettext("Lost"), tone: "lost" };
  }
  const tone = rank === 1 ? "won" : rank === Math.max(...ranks) ? "lost" : "even";
  return { words: gettext((isShared ? SHARED_PLACES : PLACES)[rank - 1], { count: ranks.length }), tone };
}

/** @param {PastMatch} past @param {number} own @returns {Child[]} */
function opponents({ players }, own) {
  const others = players.filter((_, seat) => seat !== own);
  return others.flatMap((other, index) => [index === 0 ? "" : ", ", other === null ? gettext("empty seat") : playerLink(other)]);
}
