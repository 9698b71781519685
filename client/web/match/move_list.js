/**
 * The moves of a match, with buttons to step through them.
 *
 * It marks the shown ply and asks the page to show another.
 */

import { faceText } from "../clock_face.js";
import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { noteWords, signsOf } from "./note_texts.js";

/** @import { IconName } from "../icons.js" */
/** @import { Annotated } from "../protocol.js" */
/** @import { Shortcut } from "../shortcuts/shortcuts.js" */
/** @import { Ply } from "./public_match.js" */

export class MoveList {
  #list = element("ol", { class: "moves", "aria-label": gettext("Moves") });
  /** What the record of an imported match says about the shown ply. */
  #note = element("p", { class: "match-note", hidden: true });
  /** @type {HTMLButtonElement[]} */
  #moves = [];
  /** The last ply in the list. @type {Ply | undefined} */
  #latest = undefined;
  #live = 0;
  #shown = 0;

  /** @param {(ply: number) => void} onStep Receives the requested ply. */
  constructor(onStep) {
    this.onStep = onStep;
    this.#first = this.#stepButton("first", gettext("First position (Home)"), () => 0);
    this.#back = this.#stepButton("back", gettext("One move back (Left arrow)"), () => this.#shown - 1);
    this.#forth = this.#stepButton("forward", gettext("One move forward (Right arrow)"), () => this.#shown + 1);
    this.#last = this.#stepButton("last", gettext("Latest position (End)"), () => this.#live);
    this.element = element(
      "section",
      { class: "move-list", "aria-label": gettext("Move list") },
      this.#list,
      this.#note,
      element("div", { class: "stepping" }, this.#first, this.#back, this.#forth, this.#last),
    );
    // Notes above the list change the space left for it.
    new ResizeObserver(() => this.#scrollTo(this.#moves[this.#shown - 1])).observe(this.#list);
  }

  #first;
  #back;
  #forth;
  #last;

  /**
   * @param {readonly Ply[]} plies
   * @param {number} shown The shown ply.
   * @param {number} seats
   * @param {ReadonlyMap<number, Annotated>} [notes] By the number of plies after which each stands.
   */
  show(plies, shown, seats, notes = new Map()) {
    // After a takeback, other moves may already have been played.
    if (this.#latest !== plies[this.#moves.length - 1]) this.#clear();
    for (let ply = this.#moves.length; ply < plies.length; ply += 1) this.#add(plies, ply, seats);
    this.#moves[this.#shown - 1]?.removeAttribute("aria-current");
    this.#moves[shown - 1]?.setAttribute("aria-current", "step");
    this.#latest = plies.at(-1);
    const isNew = shown !== this.#shown || plies.length !== this.#live;
    [this.#shown, this.#live] = [shown, plies.length];
    this.#first.disabled = this.#back.disabled = shown === 0;
    this.#forth.disabled = this.#last.disabled = shown === plies.length;
    for (const [ply, note] of notes) this.#sign(ply, signsOf(note));
    this.#note.textContent = noteWords(notes.get(shown));
    this.#note.hidden = this.#note.textContent === "";
    if (isNew) this.#scrollTo(this.#moves[shown - 1]);
  }

  /** @param {number} ply @param {string} signs The assessment of the move. */
  #sign(ply, signs) {
    const move = this.#moves[ply - 1];
    if (move !== undefined && signs !== "" && move.dataset.signs !== signs) move.append(` ${(move.dataset.signs = signs)}`);
  }

  /** @returns {Shortcut[]} */
  get shortcuts() {
    return [
      { keys: ["ArrowLeft"], label: gettext("One move back"), run: () => this.#step(this.#shown - 1) },
      { keys: ["ArrowRight"], label: gettext("One move forward"), run: () => this.#step(this.#shown + 1) },
      { keys: ["Home"], label: gettext("First position"), run: () => this.#step(0) },
      { keys: ["End"], label: gettext("Latest position"), run: () => this.#step(this.#live) },
    ];
  }

  /** @param {number} ply */
  #step(ply) {
    if (ply >= 0 && ply <= this.#live) this.onStep(ply);
  }

  #clear() {
    this.#list.replaceChildren();
    this.#moves = [];
  }

  /** @param {readonly Ply[]} plies @param {number} ply @param {number} seats */
  #add(plies, ply, seats) {
    const column = plies[ply].seat;
    const isNewRow = ply === 0 || column <= plies[ply - 1].seat;
    if (isNewRow) {
      const row = element("li", { class: `move-row of-${seats}` });
      for (let empty = 0; empty < column; empty += 1) row.append(element("span", { class: "no-move" }, "…"));
      this.#list.append(row);
    }
    const face = plies[ply].faces[column] ?? null;
    const { isPlanned } = plies[ply];
    const title = [isPlanned ? gettext("planned") : "", face === null ? "" : gettext("{time} left", { time: faceText(face) })].filter(Boolean).join(", ");
    const move = button(plies[ply].move, () => this.#step(ply + 1), { class: isPlanned ? "move planned-move" : "move", title });
    this.#moves.push(move);
    this.#list.lastElementChild?.append(move);
  }

  /** Within the list only: the page must not jump. @param {HTMLElement | undefined} move */
  #scrollTo(move) {
    if (move === undefined) return void (this.#list.scrollTop = 0);
    const [list, item] = [this.#list.getBoundingClientRect(), move.getBoundingClientRect()];
    if (item.top < list.top) this.#list.scrollTop -= list.top - item.top + 4;
    else if (item.bottom > list.bottom) this.#list.scrollTop += item.bottom - list.bottom + 4;
    if (item.left < list.left) this.#list.scrollLeft -= list.left - item.left + 4;
    else if (item.right > list.right) this.#list.scrollLeft += item.right - list.right + 4;
  }

  /** @param {IconName} sign @param {string} label @param {() => number} target */
  #stepButton(sign, label, target) {
    return button(icon(sign), () => this.#step(target()), { class: "button step", "aria-label": label, title: label });
  }
}
