/** The reader's running matches, those awaiting a move first. Correspondence is played from this list. */

import { clockText, formatClock } from "../clock_texts.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { markedNames } from "../players/bot_mark.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, YourMatch } from "../protocol.js" */

/** Interval for updating the remaining times. */
const TICK_MS = 1_000;
/** Matches shown at first; abandoned untimed matches come last. */
const FIRST_SHOWN = 6;

export class YourMatchList {
  #list = element("ul", { class: "entries your-matches" });
  #count = element("span", { class: "count" });
  #all = button("", () => this.#showAll(), { class: "button quiet", hidden: true });
  #isWhole = false;
  element = element(
    "section",
    { class: "card your-turn", "aria-label": gettext("Your matches"), hidden: true },
    element("h2", {}, gettext("Your turn"), " ", this.#count),
    this.#list,
    this.#all,
  );
  /** @type {YourMatch[]} */
  #matches = [];
  /** @type {number | undefined} */
  #timer = undefined;
  #unfollow = () => {};

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
  }

  open() {
    this.#unfollow = this.connection.follow({ type: "watch_your_matches" }, ({ matches }) => {
      this.#matches = matches;
      this.#show();
    });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.#timer);
    this.#unfollow();
  }

  #show() {
    const waiting = this.#matches.filter((match) => match.is_your_turn).length;
    const heading = /** @type {HTMLElement} */ (this.element.querySelector("h2"));
    heading.replaceChildren(waiting > 0 ? gettext("Your turn") : gettext("Your matches"), " ", this.#count);
    this.#count.textContent = waiting > 0 ? String(waiting) : "";
    this.element.hidden = this.#matches.length === 0;
    const focused = document.activeElement?.getAttribute("data-match");
    const shown = this.#isWhole ? this.#matches : this.#matches.slice(0, FIRST_SHOWN);
    this.#list.replaceChildren(...shown.map((match) => line(match, this.connection.games)));
    this.#all.hidden = shown.length === this.#matches.length;
    this.#all.textContent = gettext("Show all {count}", { count: this.#matches.length });
    this.#tick();
    const again = focused && this.#list.querySelector(`[data-match="${CSS.escape(focused)}"]`);
    if (again instanceof HTMLElement) again.focus();
  }

  #showAll() {
    this.#isWhole = true;
    this.#show();
    const [next] = [...this.#list.querySelectorAll("a")].slice(FIRST_SHOWN);
    next?.focus();
  }

  #tick() {
    const now_ms = this.connection.now_ms();
    for (const match of this.#matches) {
      const node = this.#list.querySelector(`[data-match="${CSS.escape(match.match)}"] .your-match-left`);
      const words = match.due_at_ms === null ? "" : gettext("{time} left", { time: formatClock(Math.max(0, match.due_at_ms - now_ms)) });
      if (node !== null && node.textContent !== words) node.textContent = words;
    }
  }
}

/** @param {YourMatch} match @param {GameInfo[]} games */
function line(match, games) {
  const title = games.find(({ name }) => name === match.game)?.title ?? match.game;
  const seats = match.players.flatMap((_, seat) => (match.your_seats.includes(seat) ? [] : [seat]));
  const others = markedNames(seats.map((seat) => match.players[seat]), seats.flatMap((seat, index) => (match.bots?.includes(seat) ? [index] : [])), ", ");
  const turn = match.is_your_turn ? gettext("your turn") : gettext("waiting for opponents");
  return element(
    "li",
    {},
    element(
      "a",
      { class: "entry your-match", href: `/match/${match.match}`, "data-match": match.match, "data-turn": String(match.is_your_turn) },
      element("span", { class: "your-match-players" }, ...(others.length > 0 ? [`${gettext("Against")} `, ...others] : [gettext("You play every side")])),
      element("span", { class: "your-match-left" }),
      element("span", { class: "your-match-facts" }, `${title} · ${clockText(match.clock)} · ${turn}`),
    ),
  );
}
