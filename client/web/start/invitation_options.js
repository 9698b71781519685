/**
 * Options of an invitation: by link, open to anyone or to one player by name; casual or rated.
 */

import { element } from "../element.js";
import { choiceRow, chosenValue } from "./choice_row.js";

/** @import { Connection } from "../connection/connection.js" */

const AUDIENCES = [
  { value: "link", label: "By link", title: "anyone with the link" },
  { value: "listed", label: "Anyone", title: "anyone; listed on the start page" },
  { value: "name", label: "By name", title: "only the player you name" },
];
const KINDS = [
  { value: "casual", label: "Casual", title: "does not change ratings" },
  { value: "rated", label: "Rated", title: "changes ratings" },
];
/** Delay for spectators of a rated match, so that they cannot help a player. */
const DELAY_PLIES = 3;
/** @type {Record<string, string>} */
const BUTTONS = { link: "Create a link", listed: "List the match", name: "Challenge" };

export class InvitationOptions {
  #name = element("input", {
    type: "text",
    class: "player-name-field",
    maxlength: 64,
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "Name of the player",
    "aria-label": "Name of the player",
    hidden: true,
  });
  #whom = choiceRow("friend-whom", "whom", "Who can join", AUDIENCES, "link");
  #kind;
  #isMember;
  #isDelayed = element("input", { type: "checkbox" });
  #delay = element("label", { class: "check", hidden: true }, this.#isDelayed, `Delay for spectators: ${DELAY_PLIES} moves`);

  /** @param {Connection} connection */
  constructor(connection) {
    this.submit = element("button", { type: "submit", class: "button primary big" }, BUTTONS.link);
    this.#isMember = connection.player?.registered === true;
    this.#kind = choiceRow("friend-kind", "kind", "Kind", KINDS, "casual");
    this.#kind.hidden = !this.#isMember;
    this.element = element("div", { class: "invitation-options" }, this.#kind, this.#delay, this.#whom, this.#name);
    this.#kind.addEventListener("change", () => {
      this.#delay.hidden = !this.#isRated();
    });
    this.#whom.addEventListener("change", () => this.#mirror());
  }

  /** Challenges by name are for two players. @param {number} seats */
  showSeats(seats) {
    const byName = this.#whom.querySelector('input[value="name"]');
    if (!(byName instanceof HTMLInputElement)) return;
    byName.disabled = seats > 2;
    if (seats > 2 && byName.checked) {
      const link = this.#whom.querySelector('input[value="link"]');
      if (link instanceof HTMLInputElement) link.checked = true;
      this.#mirror();
    }
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
    this.submit.textContent = BUTTONS[whom];
    if (whom === "name") this.#name.focus();
  }
}
