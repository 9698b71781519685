/** Choices in a move that are not cells: buttons such as Pass, or a slider and a field for a number. */

import { button, element } from "../element.js";
import { gettext, later, pgettext } from "../language/texts.js";

/** @import { Shortcut } from "../shortcuts/shortcuts.js" */

/** What choices are called that are no numbers; those of games unknown here are shown as they are. @type {Record<string, string>} */
const CHOICES = { pass: later("Pass") };

export class ChoicePanel {
  /** The current number; undefined while no number is needed. @type {number | undefined} */
  amount = undefined;
  element = element("div", { class: "choice-panel", hidden: true });
  #shown = "";
  /** Digits typed so far. */
  #typed = "";
  #slider = element("input", { type: "range", "aria-label": gettext("Number of pieces"), oninput: () => this.#slide() });
  #entry = element("input", { type: "number", inputmode: "numeric", "aria-label": gettext("Number of pieces"), oninput: () => this.#type() });
  /** @type {number[]} */
  #numbers = [];

  /** @param {(choice: string) => void} onChoose @param {() => void} onAmount Called when the number changes. */
  constructor(onChoose, onAmount) {
    this.onChoose = onChoose;
    this.onAmount = onAmount;
    for (const input of [this.#slider, this.#entry]) {
      input.addEventListener("keydown", (event) => {
        if (event.key === "Enter") this.onChoose(String(this.amount));
        event.stopPropagation();
      });
    }
  }

  /** @param {string[]} choices */
  show(choices) {
    const key = choices.join(" ");
    if (key === this.#shown) return;
    this.#shown = key;
    this.#typed = "";
    this.element.hidden = choices.length === 0;
    const isNumeric = choices.length > 0 && choices.every((choice) => /^\d+$/.test(choice));
    this.#numbers = isNumeric ? choices.map(Number).sort((one, other) => one - other) : [];
    this.amount = this.#numbers[Math.floor((this.#numbers.length - 1) / 2)];
    this.element.replaceChildren(...(isNumeric ? this.#numberParts() : this.#textParts(choices)));
    this.#mirror();
  }

  /** @param {number} steps */
  turn(steps) {
    if (this.amount !== undefined) this.#choose(this.#numbers.indexOf(this.amount) + steps);
  }

  /** While a number is chosen. @returns {Shortcut[]} */
  get shortcuts() {
    const whileChoosing = (/** @type {(key: string) => void} */ run) => (/** @type {string} */ key) => {
      if (this.amount === undefined) return false;
      run(key);
      return true;
    };
    return [
      { keys: ["ArrowUp", "ArrowRight", "+"], label: gettext("One more piece, while you choose how many to move"), run: whileChoosing(() => this.turn(1)) },
      { keys: ["ArrowDown", "ArrowLeft", "-"], label: gettext("One piece fewer"), run: whileChoosing(() => this.turn(-1)) },
      { keys: [..."0123456789"], label: gettext("Type the number of pieces to move"), run: whileChoosing((key) => this.#typeDigit(key)) },
      { keys: ["Enter"], label: gettext("Move that many pieces"), run: whileChoosing(() => this.onChoose(String(this.amount))) },
    ];
  }

  #numberParts() {
    const [least, most] = [this.#numbers[0], this.#numbers.at(-1)];
    for (const input of [this.#slider, this.#entry]) {
      input.min = String(least);
      input.max = String(most);
    }
    const take = button(pgettext("to move pieces", "Move"), () => this.onChoose(String(this.amount)), { class: "button primary" });
    return least === most ? [take] : [this.#slider, this.#entry, take];
  }

  /** @param {string[]} choices */
  #textParts(choices) {
    return choices.map((choice) =>
      button(gettext(CHOICES[choice] ?? choice.charAt(0).toUpperCase() + choice.slice(1)), () => this.onChoose(choice), { "data-choice": choice }),
    );
  }

  /** Consecutive digits form one number as long as it is a legal choice. @param {string} digit */
  #typeDigit(digit) {
    const longer = this.#typed + digit;
    this.#typed = this.#numbers.includes(Number(longer)) ? longer : digit;
    this.#set(Number(this.#typed));
  }

  #slide() {
    this.#set(Number(this.#slider.value));
  }

  #type() {
    this.#set(Number(this.#entry.value));
  }

  /** @param {number} amount */
  #set(amount) {
    const index = this.#numbers.indexOf(amount);
    if (index >= 0) this.#choose(index);
  }

  /** @param {number} index */
  #choose(index) {
    this.amount = this.#numbers[Math.max(0, Math.min(this.#numbers.length - 1, index))];
    this.#mirror();
    this.onAmount();
  }

  #mirror() {
    this.#slider.value = this.#entry.value = String(this.amount ?? "");
  }
}
