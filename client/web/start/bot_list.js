/** The list of other people's bots that are online and play the chosen game; each can be challenged. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { playerLink } from "../players/player_link.js";

/** @import { ChallengeRules, GameInfo, OnlineBot } from "../protocol.js" */

export class BotList {
  #list = element("ul", { class: "entries" });
  #count = element("span", { class: "count" });
  /** @type {OnlineBot[]} */
  #bots = [];
  /** @type {GameInfo | null} */
  #game = null;

  /** @param {(name: string) => void} onChallenge */
  constructor(onChallenge) {
    this.onChallenge = onChallenge;
    this.element = element(
      "section",
      { class: "card live bots", "aria-label": gettext("Bots online"), hidden: true },
      element("h2", {}, gettext("Bots online"), " ", this.#count),
      element("p", { class: "note" }, gettext("Programs written by other players.")),
      this.#list,
    );
  }

  /** @param {OnlineBot[]} bots */
  show(bots) {
    this.#bots = bots;
    this.#draw();
  }

  /** @param {GameInfo} game */
  choose(game) {
    this.#game = game;
    this.#draw();
  }

  #draw() {
    const bots = this.#bots.filter(({ rules }) => this.#game !== null && rules.games.includes(this.#game.name));
    this.element.hidden = bots.length === 0;
    this.#count.textContent = String(bots.length);
    const focused = document.activeElement?.getAttribute("data-bot");
    this.#list.replaceChildren(...bots.map((bot) => this.#line(bot)));
    const again = focused && this.#list.querySelector(`[data-bot="${CSS.escape(focused)}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {OnlineBot} bot */
  #line({ player, rules, matches }) {
    const isBusy = matches >= rules.most_matches;
    const facts = isBusy ? gettext("busy with other matches") : rulesText(rules);
    return element(
      "li",
      { class: "entry seek" },
      element("div", {}, element("span", { class: "live-players" }, playerLink(player)), element("span", { class: "live-facts" }, facts)),
      button(gettext("Challenge"), () => this.onChallenge(player.name), {
        class: "button",
        disabled: isBusy,
        "data-bot": player.id,
        "aria-label": gettext("Challenge {name}", { name: player.name }),
      }),
    );
  }
}

/** The challenges that a bot accepts, as text. @param {Required<ChallengeRules>} rules */
export function rulesText(rules) {
  const facts = [
    rules.rated ? (rules.casual ? gettext("casual or rated") : gettext("rated only")) : gettext("casual only"),
    rules.untimed ? null : gettext("timed only"),
    rules.least_initial_ms > 0 ? gettext("from {duration}", { duration: minutes(rules.least_initial_ms) }) : null,
    rules.most_initial_ms < 86_400_000 ? gettext("up to {duration}", { duration: minutes(rules.most_initial_ms) }) : null,
    rules.correspondence ? gettext("also correspondence") : null,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}

/** @param {number} duration_ms */
function minutes(duration_ms) {
  return duration_ms < 60_000 ? gettext("{seconds} s", { seconds: duration_ms / 1_000 }) : gettext("{minutes} min", { minutes: Math.round(duration_ms / 6_000) / 10 });
}
