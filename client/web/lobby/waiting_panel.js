/** The panel of a running quick pairing: the request, the time, the number of waiting players, and the offered bot. */

import { clockText } from "../clock_texts.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { levelText } from "../players/bot_texts.js";
import { announce } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Searching } from "../protocol.js" */
/** @import { PairingSearch } from "./pairing_search.js" */

const TICK_MS = 1_000;

export class WaitingPanel {
  #what = element("p", { class: "waiting-what" });
  #time = element("span", { class: "waiting-time", "aria-hidden": "true" });
  #count = element("span", { class: "waiting-count" });
  #offerText = element("p", {});
  #offer;
  #isOffered = false;
  /** @type {number | undefined} */
  #timer = undefined;

  /** @param {Connection} connection @param {PairingSearch} search */
  constructor(connection, search) {
    this.connection = connection;
    this.search = search;
    this.#offer = element(
      "div",
      { class: "bot-offer", hidden: true },
      this.#offerText,
      button(gettext("Play the bot"), () => search.playBot(), { class: "button primary" }),
    );
    this.element = element(
      "div",
      { class: "waiting" },
      element("div", { class: "waiting-dots", "aria-hidden": "true" }, element("i"), element("i"), element("i")),
      element("h3", {}, gettext("Looking for an opponent")),
      this.#what,
      element("p", { class: "note" }, this.#time, " · ", this.#count),
      this.#offer,
      button(gettext("Cancel search"), () => search.stop(), { class: "button" }),
    );
  }

  /** @param {Searching} state */
  show(state) {
    const game = this.connection.games.find(({ name }) => name === state.request.game);
    this.#what.textContent = [
      game?.title ?? state.request.game,
      clockText(state.request.clock),
      state.request.rated ? "rated" : "casual",
      state.request.seats > 2 ? gettext("{seats} players", { seats: state.request.seats }) : null,
    ]
      .filter((fact) => fact !== null)
      .join(" · ");
    this.#count.textContent = countText(state);
    const level = state.bot_level ?? null;
    this.#offer.hidden = level === null;
    if (level !== null) {
      const strength = gettext("level {level}, {description}", { level, description: levelText(level, game?.levels ?? level) });
      this.#offerText.textContent = gettext("No suitable opponent is waiting. You can play a bot of about your strength now ({strength}).", { strength });
    }
    if (level !== null && !this.#isOffered) announce(this.#offerText.textContent ?? "");
    this.#isOffered = level !== null;
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  /** Stop counting. */
  close() {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick() {
    const { state } = this.search;
    if (state === null) return this.close();
    const seconds = Math.max(0, Math.floor((this.connection.now_ms() - state.since_ms) / 1_000));
    this.#time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  }
}

/**
 * @param {Searching} state
 * @returns {string} How many players wait, at a table for three or four out of how many it needs.
 */
function countText({ waiting, request: { seats = 2 } }) {
  if (waiting === 1) return gettext("no one else is waiting");
  return seats > 2 && waiting < seats ? gettext("{waiting} of {seats} are here", { waiting, seats }) : gettext("{waiting} waiting", { waiting });
}
