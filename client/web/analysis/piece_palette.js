/**
 * The tools of the position editor: the hand, a piece of each seat, and the eraser. Pieces can be dragged onto the board.
 */

import { drawMan } from "../board/pieces.js";
import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";

/** What a click on the board does: move pieces, put a piece of a seat, or remove one. @typedef {"move" | "remove" | number} Tool */

export class PiecePalette {
  /** @type {Tool} */
  tool = "move";
  element = element("div", { class: "piece-palette", role: "radiogroup", "aria-label": gettext("Pieces") });
  /** @type {Map<Tool, HTMLButtonElement>} */
  #buttons = new Map();
  /** The piece that follows the pointer. @type {SVGSVGElement | null} */
  #ghost = null;

  /** @param {{ chosen: () => void, dropped: (seat: number, cell: string) => void }} handlers */
  constructor(handlers) {
    this.handlers = handlers;
  }

  /** @param {number} seats @param {(seat: number) => string} nameOf @param {(seat: number) => string} colourOf */
  offer(seats, nameOf, colourOf) {
    const pieces = Array.from({ length: seats }, (_, seat) => this.#piece(seat, nameOf(seat), colourOf(seat)));
    const hand = this.#choice("move", icon("hand"), gettext("Move pieces"));
    const eraser = this.#choice("remove", icon("eraser"), gettext("Remove pieces"));
    this.element.replaceChildren(hand, ...pieces, eraser);
    this.#choose("move");
  }

  /** @param {Tool} tool @param {Node} sign @param {string} label */
  #choice(tool, sign, label) {
    const choice = button(sign, () => this.#choose(tool), { class: "button palette-tool", role: "radio", "aria-label": label, title: label });
    this.#buttons.set(tool, choice);
    return choice;
  }

  /** @param {number} seat @param {string} name @param {string} colour */
  #piece(seat, name, colour) {
    const choice = this.#choice(seat, drawMan(colour, "palette-man"), name);
    choice.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      choice.setPointerCapture(event.pointerId);
      this.#ghost = drawMan(colour, "palette-ghost");
    });
    choice.addEventListener("pointermove", (event) => this.#follow(event));
    choice.addEventListener("pointerup", (event) => {
      const wasDragged = this.#ghost?.isConnected ?? false;
      this.#let();
      const cell = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-cell]")?.getAttribute("data-cell");
      if (wasDragged && cell) this.handlers.dropped(seat, cell);
    });
    choice.addEventListener("pointercancel", () => this.#let());
    return choice;
  }

  /** @param {PointerEvent} event */
  #follow(event) {
    if (this.#ghost === null) return;
    if (!this.#ghost.isConnected) document.body.append(this.#ghost);
    this.#ghost.style.setProperty("translate", `${event.clientX}px ${event.clientY}px`);
  }

  #let() {
    this.#ghost?.remove();
    this.#ghost = null;
  }

  /** @param {Tool} tool */
  #choose(tool) {
    this.tool = tool;
    for (const [each, choice] of this.#buttons) choice.setAttribute("aria-checked", String(each === tool));
    this.handlers.chosen();
  }
}
