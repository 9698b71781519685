/**
 * The engine's report of a match: the graph, mistakes per player, and each mistake with the better move.
 *
 * It only shows; the page requests the report and changes the position.
 */

import { drawMan } from "../board/pieces.js";
import { formatClock } from "../clock_texts.js";
import { button, element } from "../element.js";
import { gettext, gettextNodes, percentText } from "../language/texts.js";
import { EvaluationGraph } from "./evaluation_graph.js";
import { JUDGEMENT_SIGNS, MISTAKES, judgementName, lossText, mistakesText, scoreText } from "./evaluation_texts.js";

/** @import { JudgedPly } from "../protocol.js" */
/** @import { Report } from "./judges.js" */

/**
 * @typedef {object} ReviewHandlers
 * @property {() => void} begin
 * @property {(ply: number) => void} go
 * @property {(ply: number) => void} better Show the better move for a ply of the match, counted from 0.
 * @property {(seat: number) => void} learn
 */
/**
 * @typedef {object} ReviewSeats
 * @property {number} count
 * @property {(seat: number) => string} nameOf
 * @property {(seat: number) => string} colourOf
 * @property {(seat: number) => string} playerOf
 * @property {readonly number[] | null} spent_ms The time of each ply, where it is known.
 */

export class ReviewPanel {
  #graph;
  #begin;
  #progress = element("progress", { max: 1, value: 0, "aria-label": gettext("Analysis progress") });
  #asking = element("div", { class: "review-start" });
  #words = element("p", { class: "note", role: "status" });
  #time = element("p", { class: "note graph-words" });
  #summary = element("div", { class: "review-summary" });
  #turning = element("p", { class: "turning-point" });
  #steps = element("div", { class: "review-steps" });
  #faults = element("ol", { class: "review-mistakes", "aria-label": gettext("Mistakes") });
  #result = element("div", { class: "review-result", hidden: true });
  /** @type {readonly JudgedPly[] | null} */
  #shown = null;
  #ply = 0;

  /** @param {ReviewHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.#graph = new EvaluationGraph(handlers.go);
    this.#begin = button("", handlers.begin, { class: "button", hidden: true });
    this.#asking.append(this.#begin, this.#progress, this.#words);
    this.#progress.hidden = true;
    this.#result.append(element("div", {}, this.#graph.element, this.#time), this.#summary, this.#turning, this.#steps, this.#faults);
    this.element = element("section", { class: "report", "aria-label": gettext("Analysis of the match") }, this.#result, this.#asking);
  }

  /** @param {string} label What the reader can ask for. @param {string} words Why, or why it was refused before. */
  offer(label, words) {
    this.#asking.hidden = false;
    this.#begin.textContent = label;
    this.#begin.hidden = false;
    this.#progress.hidden = true;
    this.#words.textContent = words;
  }

  /** @param {number} done @param {number} total */
  progress(done, total) {
    this.#asking.hidden = false;
    this.#begin.hidden = true;
    this.#progress.hidden = false;
    this.#progress.max = Math.max(1, total);
    this.#progress.value = done;
    this.#words.textContent = gettext("The engine is checking each move: {done} of {total}.", { done, total });
  }

  /** @param {Report} report @param {number} ply The shown ply of the match. @param {ReviewSeats} seats */
  show(report, ply, seats) {
    const { plies, turning_point, is_final } = report;
    this.#ply = ply;
    this.#result.hidden = false;
    if (!is_final) this.#wait();
    else if (plies !== this.#shown) this.#draw(report, seats);
    this.#graph.show(plies, turning_point, ply, { ...seats, describe: (at) => describePly(plies, at, seats) });
    this.#time.textContent = timeText(ply, seats);
    for (const fault of this.#faults.querySelectorAll("li")) fault.classList.toggle("current", fault.dataset.ply === String(ply));
  }

  /** Apparent mistakes are still being checked. */
  #wait() {
    this.#progress.removeAttribute("value");
    this.#words.textContent = gettext("The engine is checking apparent mistakes again.");
  }

  /** @param {Report} report @param {ReviewSeats} seats */
  #draw({ plies, accuracies, turning_point }, seats) {
    this.#shown = plies;
    this.#asking.hidden = true;
    this.#summary.replaceChildren(...Array.from({ length: seats.count }, (_, seat) => this.#seatPart(plies, accuracies[seat] ?? null, seat, seats)));
    this.#turning.hidden = turning_point === null;
    this.#turning.replaceChildren(...(turning_point === null ? [] : this.#turningParts(plies, turning_point, seats)));
    const faults = [...plies.entries()].filter(([, { judgement }]) => judgement !== "good");
    this.#faults.replaceChildren(...faults.map(([index, ply]) => this.#fault(index, ply, seats)));
    const hasNone = faults.length === 0;
    this.#steps.replaceChildren(
      ...(hasNone
        ? [element("p", { class: "note" }, gettext("The engine found no mistakes."))]
        : [
            button(gettext("Previous mistake"), () => this.#goToFault(-1), { class: "button" }),
            button(gettext("Next mistake"), () => this.#goToFault(1), { class: "button" }),
          ]),
    );
  }

  /** @param {readonly JudgedPly[]} plies @param {number} ply @param {ReviewSeats} seats */
  #turningParts(plies, ply, { count, nameOf }) {
    const { seat, move } = plies[ply - 1];
    const go = button(`${Math.floor((ply - 1) / count) + 1}. ${nameOf(seat)} ${move}`, () => this.handlers.go(ply), { class: "move" });
    return gettextNodes("Turning point: {move}", { move: go });
  }

  /**
   * @param {readonly JudgedPly[]} plies
   * @param {number | null} accuracy In percent; null if the seat never had a choice.
   * @param {number} seat
   * @param {ReviewSeats} seats
   */
  #seatPart(plies, accuracy, seat, { nameOf, colourOf, playerOf }) {
    const own = plies.filter((ply) => ply.seat === seat && !ply.is_forced);
    const counts = MISTAKES.map((judgement) => {
      const count = own.filter((ply) => ply.judgement === judgement).length;
      return element("span", { class: "mistake-count", "data-judgement": judgement, "data-none": count === 0 }, element("b", {}, String(count)), ` ${mistakesText(judgement, count)}`);
    });
    const hasFaults = own.some(({ judgement }) => judgement !== "good");
    const learn = button(gettext("Learn from {player}’s mistakes", { player: nameOf(seat) }), () => this.handlers.learn(seat), { class: "button small" });
    return element(
      "div",
      { class: "review-seat", "data-seat": seat },
      drawMan(colourOf(seat), "choice-man"),
      element("strong", {}, playerOf(seat)),
      element("span", { class: "mistake-counts" }, ...counts),
      accuracy === null ? null : element("span", { class: "accuracy" }, gettext("Accuracy {percent}", { percent: percentText(accuracy / 100) })),
      hasFaults ? learn : null,
    );
  }

  /** @param {number} index @param {JudgedPly} ply @param {ReviewSeats} seats */
  #fault(index, ply, { count, nameOf }) {
    const number = Math.floor(index / count) + 1;
    const go = button(`${number}. ${nameOf(ply.seat)} ${ply.move}${JUDGEMENT_SIGNS[ply.judgement]}`, () => this.handlers.go(index + 1), { class: "move" });
    const better = button(gettext("better: {move}", { move: ply.best.moves[0] ?? "" }), () => this.handlers.better(index), { class: "move better" });
    const loss = element("span", { class: "note" }, `${judgementName(ply.judgement)}: ${lossText(ply, nameOf)}`);
    return element("li", { "data-ply": index + 1, "data-judgement": ply.judgement }, go, better, loss);
  }

  /** @param {number} direction */
  #goToFault(direction) {
    const plies = (this.#shown ?? []).flatMap(({ judgement }, index) => (judgement === "good" ? [] : [index + 1]));
    const next = direction > 0 ? plies.find((ply) => ply > this.#ply) : plies.findLast((ply) => ply < this.#ply);
    const target = next ?? (direction > 0 ? plies[0] : plies.at(-1));
    if (target !== undefined) this.handlers.go(target);
  }
}

/** @param {readonly JudgedPly[]} plies @param {number} ply @param {ReviewSeats} seats */
function describePly(plies, ply, seats) {
  if (ply === 0) return gettext("Start");
  const { nameOf } = seats;
  const { seat, move, judgement, score } = plies[ply - 1];
  const fault = judgement === "good" ? "" : `, ${judgementName(judgement)}`;
  const words = gettext("Move {ply}: {name} {move}. {score}", { ply, name: nameOf(seat), move: move + fault, score: scoreText(score, nameOf) });
  return `${words} ${timeText(ply, seats)}`.trim();
}

/** @param {number} ply @param {ReviewSeats} seats */
function timeText(ply, { spent_ms }) {
  return spent_ms === null || ply === 0 ? "" : gettext("Time for this move: {time}", { time: formatClock(spent_ms[ply - 1]) });
}
