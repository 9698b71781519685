/**
 * The list of matches being played, each a link to watch it.
 */

import { element } from "../element.js";
import { clockWords } from "../match/words.js";
import { markedNames } from "../ratings/bot_mark.js";

/** @import { GameInfo, MatchSummary } from "../protocol.js" */

export class LiveList {
  #list = element("ul", { class: "entries" });
  #empty = element("p", { class: "note" }, "Nobody is playing just now. Begin a match, and others can watch it here.");
  #count = element("span", { class: "count" });

  constructor() {
    this.element = element(
      "section",
      { class: "card live", "aria-label": "Live matches" },
      element("h2", {}, "Watch live ", this.#count),
      this.#empty,
      this.#list,
    );
  }

  /**
   * @param {MatchSummary[]} matches
   * @param {GameInfo[]} games
   */
  show(matches, games) {
    this.#empty.hidden = matches.length > 0;
    this.#count.textContent = matches.length > 0 ? String(matches.length) : "";
    const focused = document.activeElement?.getAttribute("href");
    this.#list.replaceChildren(...matches.map((match) => line(match, games)));
    if (focused?.startsWith("/match/")) {
      const again = this.#list.querySelector(`a[href="${CSS.escape(focused).replaceAll("\\/", "/")}"]`);
      if (again instanceof HTMLElement) again.focus();
    }
  }
}

/**
 * @param {MatchSummary} summary
 * @param {GameInfo[]} games
 */
function line(summary, games) {
  const game = games.find(({ name }) => name === summary.game);
  const facts = [
    games.length > 1 ? (game?.title ?? summary.game) : null,
    clockWords(summary.clock),
    `${summary.plies} ${summary.plies === 1 ? "move" : "moves"}`,
    summary.spectators > 0 ? `${summary.spectators} watching` : null,
  ];
  return element(
    "li",
    {},
    element(
      "a",
      { class: "entry live-match", href: `/match/${summary.match}` },
      element("span", { class: "live-players" }, ...markedNames(summary.players, summary.bots ?? [], " – ")),
      element("span", { class: "live-facts" }, facts.filter((fact) => fact !== null).join(" · ")),
    ),
  );
}
