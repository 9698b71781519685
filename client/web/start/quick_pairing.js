/** The quick pairing card: one click on a clock, and the server finds an opponent. */

import { clockText } from "../clock_texts.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";
import { choiceRow, chosenValue, ratedChoices } from "./choice_row.js";
import { QUICK_CLOCKS } from "./clock_choices.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */
/** @import { ClockSettings, GameInfo } from "../protocol.js" */

export class QuickPairing {
  #body = element("div", { class: "quick-body" });
  /** @param {Connection} connection @param {PairingSearch} search @param {GameInfo} game */
  constructor(connection, search, game) {
    this.connection = connection;
    this.search = search;
    this.game = game;
    this.element = element(
      "section",
      { class: "card quick-pairing", "aria-label": gettext("Quick pairing") },
      element("h2", {}, gettext("Quick pairing")),
      this.#body,
    );
    this.#body.replaceChildren(...this.#choices(game));
  }

  /** @param {GameInfo} game */
  #choices(game) {
    const isMember = this.connection.player?.registered === true;
    const rated = isMember ? (recall(this.#key("rated")) ?? "casual") : "casual";
    const rating = choiceRow("quick-rated", "rated", gettext("Kind"), ratedChoices(), rated);
    rating.disabled = !isMember;
    rating.addEventListener("change", () => remember(this.#key("rated"), chosenValue(rating, "quick-rated") ?? "casual"));
    return [
      element("p", { class: "note" }, gettext("Choose the time for each player. The server finds you a suitable opponent.")),
      game.seats.length > 1 ? this.#seatChoice(game) : "",
      element("div", { class: "pairing-grid", role: "group", "aria-label": gettext("Time") }, ...QUICK_CLOCKS.map((each) => this.#tile(game, each))),
      isMember ? rating : element("p", { class: "note" }, gettext("These are casual matches. Sign in to play rated ones.")),
    ];
  }

  /** @param {GameInfo} game */
  #seatChoice(game) {
    const choices = game.seats.map((count) => ({ value: String(count), label: String(count), title: "" }));
    const chosen = recall(this.#key("seats")) ?? String(game.seats[0]);
    const row = choiceRow("quick-seats", "seats", gettext("Players"), choices, chosen);
    const fewer = element(
      "label",
      { class: "check" },
      element("input", { type: "checkbox", name: "quick-fewer", checked: recall(this.#key("fewer")) !== "no" }),
      gettext("Accept fewer players after a while"),
    );
    const note = element("p", { class: "note" }, gettext("A rated table waits for people; bots take seats only in casual matches."));
    const mirror = () => {
      fewer.hidden = note.hidden = chosenValue(row, "quick-seats") === String(game.seats[0]);
    };
    row.addEventListener("change", () => {
      remember(this.#key("seats"), chosenValue(row, "quick-seats") ?? chosen);
      mirror();
    });
    fewer.addEventListener("change", () => remember(this.#key("fewer"), this.#takesFewer() ? "yes" : "no"));
    mirror();
    return element("div", { class: "quick-seats" }, row, fewer, this.connection.player?.registered ? note : "");
  }

  /** @param {GameInfo} game @param {{ clock: ClockSettings, word: string }} choice */
  #tile(game, { clock: chosen, word }) {
    const find = () => {
      const seats = Number(chosenValue(this.#body, "quick-seats") ?? game.seats[0]);
      const rated = chosenValue(this.#body, "quick-rated") === "rated";
      return this.search.find({ game: game.name, seats, clock: chosen, rated }, seats > game.seats[0] && this.#takesFewer());
    };
    const tile = button(element("span", { class: "pairing-clock" }, clockText(chosen)), find, { class: "pairing-tile" });
    tile.append(element("span", { class: "pairing-speed" }, gettext(word)));
    return tile;
  }

  #takesFewer() {
    const box = this.#body.querySelector('input[name="quick-fewer"]');
    return box instanceof HTMLInputElement && box.checked;
  }

  /** @param {string} name */
  #key(name) {
    return `millrace.${this.game.name}.quick.${name}`;
  }
}
