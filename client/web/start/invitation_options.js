/** Options of an invitation: by link, open to anyone or to one player by name; casual or rated. */

import { element } from "../element.js";
import { gettext, later, ngettext } from "../language/texts.js";
import { choiceRow, chosenValue, ratedChoices } from "./choice_row.js";

/** @import { Connection } from "../connection/connection.js" */

/** Delay for spectators of a rated match, so that they cannot help a player. */
const DELAY_PLIES = 3;
/** @type {Record<string, string>} */
const BUTTONS = { link: later("Create a link"), listed: later("List the match"), name: later("Challenge") };

export class InvitationOptions {
  #name = element("input", {
    type: "text",
    class: "player-name-field",
    maxlength: 64,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: gettext("Name of the player"),
    "aria-label": gettext("Name of the player"),
    hidden: true,
  });
  #whom = choiceRow("friend-whom", "whom", gettext("Who can join"), audiences(), "link");
  #kind;
  #isMember;
  #isDelayed = element("input", { type: "checkbox" });
  #delay = element("label", { class: "check", hidden: true }, this.#isDelayed, ngettext("Delay for spectators: {count} move", "Delay for spectators: {count} moves", DELAY_PLIES));

  /** @param {Connection} connection */
  constructor(connection) {
    this.submit = element("button", { type: "submit", class: "button primary big" }, gettext(BUTTONS.link));
    this.#isMember = connection.player?.registered === true;
    this.#kind = choiceRow("friend-kind", "kind", gettext("Kind"), ratedChoices(), "casual");
    this.#kind.hidden = !this.#isMember;
    this.element = element("div", { class: "invitation-options" }, this.#kind, this.#delay, this.#whom, this.#name);
    this.#kind.addEventListener("change", () => {
      this.#delay.hidden = !this.#isRated();
    });
    this.#whom.addEventListener("change", () => this.#mirror());
  }

  /** Challenges by name are for two players, and with time odds a match is casual. @param {{ seats: number, odds_ms: number }} options */
  show({ seats, odds_ms }) {
    this.#offer("name", "link", seats === 2);
    this.#offer("rated", "casual", odds_ms === 0);
  }

  /** @param {string} value A choice. @param {string} otherwise Chosen instead. @param {boolean} isPossible */
  #offer(value, otherwise, isPossible) {
    const [input, other] = [value, otherwise].map((each) => this.element.querySelector(`input[value="${each}"]`));
    if (!(input instanceof HTMLInputElement && other instanceof HTMLInputElement)) return;
    input.disabled = !isPossible;
    // As if clicked, so that the form updates what it shows.
    if (input.checked && !isPossible) other.click();
  }

  /** Prepare a challenge. @param {string} name The challenged account. */
  challenge(name) {
    const byName = this.#whom.querySelector('input[value="name"]');
    if (!(byName instanceof HTMLInputElement)) return;
    byName.checked = true;
    this.#name.value = name;
    // As if clicked, so that the form updates what it shows.
    byName.dispatchEvent(new Event("change", { bubbles: true }));
    this.submit.focus();
  }

  /** Fields for the `create` message. @returns {{ rated?: boolean, listed?: boolean, invited?: string, delay_plies?: number }} */
  get fields() {
    const whom = this.#chosen();
    const rated = this.#isRated();
    return {
      ...(rated ? { rated } : {}),
      ...(rated && this.#isDelayed.checked ? { delay_plies: DELAY_PLIES } : {}),
      ...(whom === "listed" ? { listed: true } : {}),
      ...(whom === "name" ? { invited: this.#name.value.trim() } : {}),
    };
  }

  #isRated() {
    return chosenValue(this.element, "friend-kind") === "rated";
  }

  #chosen() {
    return chosenValue(this.#whom, "friend-whom") ?? "link";
  }

  #mirror() {
    const whom = this.#chosen();
    this.#name.hidden = whom !== "name";
    this.#name.required = whom === "name";
    this.submit.textContent = gettext(BUTTONS[whom]);
    if (whom === "name") this.#name.focus();
  }
}

function audiences() {
  return [
    { value: "link", label: gettext("By link"), title: gettext("anyone with the link") },
    { value: "listed", label: gettext("Anyone"), title: gettext("anyone; listed on the start page") },
    { value: "name", label: gettext("By name"), title: gettext("only the player you name") },
  ];
}
