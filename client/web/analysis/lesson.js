/**
 * Learning from mistakes: the reader searches for a better move in the position before each mistake.
 *
 * The engine judges each attempt. A move that loses almost nothing is accepted like the engine's own. The page asks
 * the engine.
 */

import { button, element } from "../element.js";
import { chanceOf } from "../engine/judging.js";
import { gettext } from "../language/texts.js";
import { judgementName } from "./evaluation_texts.js";

/** @import { JudgedPly, Score } from "../protocol.js" */

/** A move that loses at most this much of the winning chances is accepted. */
const MAX_LOSS = 0.05;

/** @typedef {"asked" | "judging" | "right" | "wrong" | "shown"} Stage */
/**
 * @typedef {object} LessonHandlers
 * @property {(ply: number) => void} pose Go to the position after that many plies.
 * @property {(ply: number) => void} show Show the better move there.
 * @property {() => void} end
 */

export class Lesson {
  /** @type {Stage} */
  stage = "asked";
  /** The mistakes, as plies of the match counted from 0. @type {number[]} */
  #faults;
  #at = 0;
  #tried = "";
  #headline = element("h2", {});
  #words = element("p", { class: "note", role: "status" });
  #buttons = element("div", { class: "extra" });
  element = element("section", { class: "lesson card", "aria-label": gettext("Learn from mistakes") }, this.#headline, this.#words, this.#buttons);

  /**
   * @param {readonly JudgedPly[]} plies
   * @param {number} seat
   * @param {string} name Of the seat.
   * @param {LessonHandlers} handlers
   */
  constructor(plies, seat, name, handlers) {
    this.plies = plies;
    this.name = name;
    this.handlers = handlers;
    this.#faults = plies.flatMap((ply, index) => (ply.seat === seat && ply.judgement !== "good" ? [index] : []));
  }

  /** The number of plies before the mistake. */
  get ply() {
    return this.#faults[this.#at];
  }

  /** The engine's move there. */
  get answer() {
    return this.plies[this.ply].best.moves[0] ?? "";
  }

  /** Whether the board waits for an attempt. */
  get isAsking() {
    return this.stage === "asked" || this.stage === "wrong";
  }

  /** Ask for a better move than the current mistake. */
  pose() {
    this.#set("asked");
    this.handlers.pose(this.ply);
  }

  /** @param {string} move The attempt. @returns {boolean} Whether the engine must judge it. */
  try(move) {
    this.#tried = move;
    const isKnown = move === this.answer || move === this.plies[this.ply].move;
    this.#set(isKnown ? (move === this.answer ? "right" : "wrong") : "judging");
    return !isKnown;
  }

  /** Receive the scores of the best move and of the attempt. @param {Score} best @param {Score} tried */
  judge(best, tried) {
    const { seat } = this.plies[this.ply];
    const loss = chanceOf(best, seat) - chanceOf(tried, seat);
    this.#set(loss < MAX_LOSS ? "right" : "wrong");
  }

  /** @param {string} words Why the engine cannot judge it. */
  refuse(words) {
    this.#set("wrong");
    this.#words.textContent = words;
  }

  #next() {
    this.#at += 1;
    if (this.#at < this.#faults.length) this.pose();
    else this.handlers.end();
  }

  /** @param {Stage} stage */
  #set(stage) {
    this.stage = stage;
    const { move, judgement } = this.plies[this.ply];
    this.#headline.textContent = gettext("Mistake {number} of {count}", { number: this.#at + 1, count: this.#faults.length });
    this.#words.textContent = {
      asked: gettext("{name} played {move} ({judgement}). Find a better move for {name}.", { name: this.name, move, judgement: judgementName(judgement) }),
      judging: gettext("The engine is checking {move}…", { move: this.#tried }),
      right:
        this.#tried === this.answer
          ? gettext("{move} is correct!", { move: this.#tried })
          : gettext("{move} is good too. The engine prefers {answer}.", { move: this.#tried, answer: this.answer }),
      wrong: gettext("{move} is not better. Try another move.", { move: this.#tried }),
      shown: gettext("The engine would play {answer}.", { answer: this.answer }),
    }[stage];
    const isDone = stage === "right" || stage === "shown";
    const isLast = this.#at === this.#faults.length - 1;
    const show = button(gettext("Show the move"), () => {
      this.#set("shown");
      this.handlers.show(this.ply);
    });
    const next = button(isLast ? gettext("Finish") : isDone ? gettext("Next mistake") : gettext("Skip"), () => this.#next(), { class: isDone ? "button primary" : "button" });
    const end = button(gettext("End the lesson"), this.handlers.end, { class: "button quiet" });
    this.#buttons.replaceChildren(...(isDone ? [next] : [show, next]), ...(isLast && isDone ? [] : [end]));
  }
}
