/**
 * Whom an invitation is for: whoever has the link, whoever comes, or one player by name; and whether the result counts.
 */

import { element } from "../element.js";
import { choiceRow, chosenValue } from "./choice_row.js";

/** @import { Connection } from "../connection/connection.js" */

const AUDIENCES = [
  { value: "link", label: "By link", title: "whoever has the link" },
  { value: "listed", label: "Anyone", title: "whoever finds it in the list" },
  { value: "name", label: "By name", title: "the player you challenge" },
];
const KINDS = [
  { value: "casual", label: "Casual", title: "only for fun" },
  { value: "rated", label: "Rated", title: "the result counts" },
];
/** Who watches a rated match may be kept so far behind, so that nobody can tell a player what to do. */
const DELAY_PLIES = 3;
/** @type {Record<string, string>} */
const BUTTONS = { link: "Make a link", listed: "List it", name: "Challenge" };

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
  #whom = choiceRow("friend-whom", "whom", "Open to", AUDIENCES, "link");
  #kind;
  #isMember;
  #isDelayed = element("input", { type: "checkbox" });
  #delay = element("label", { class: "check", hidden: true }, this.#isDelayed, `Who watches sees it ${DELAY_PLIES} moves later`);

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

  /** A challenge by name is for two. @param {number} seats */
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

  /** Make ready to challenge somebody. @param {string} name Of an account. */
  challenge(name) {
    const byName = this.#whom.querySelector('input[value="name"]');
    if (!(byName instanceof HTMLInputElement)) return;
    byName.checked = true;
    this.#name.value = name;
    // As if it had been pressed, so that all that tells what is chosen tells it.
    byName.dispatchEvent(new Event("change", { bubbles: true }));
    this.submit.focus();
  }

  /** What it adds to the creation of a match. @returns {{ rated?: boolean, listed?: boolean, invited?: string, delay_plies?: number }} */
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
