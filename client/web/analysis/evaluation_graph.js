/**
 * The engine's evaluation of a match and the time of each move, ply by ply; clicks and keys step through it.
 *
 * With two seats the curve shows the first seat's winning chances, and the bars of its times point up, those of the
 * second down. With more, each seat has a curve through the positions in which it was to move.
 */

import { element, svgElement } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { JudgedPly, Judgement } from "../protocol.js" */

const WIDTH = 1000;
const HEIGHT = 100;
const TIMES_HEIGHT = 40;
/** @type {Judgement[]} */
const MARKED = ["inaccuracy", "mistake", "blunder"];

/**
 * @typedef {object} EvaluationGraphSeats
 * @property {number} count
 * @property {(seat: number) => string} colourOf
 * @property {readonly number[] | null} spent_ms The time of each ply, where it is known.
 * @property {(ply: number) => string} describe Describes the position after that many plies.
 */

export class EvaluationGraph {
  #now = svgElement("line", { class: "graph-now", y1: 0, y2: HEIGHT });
  #lines = svgElement("g", {});
  #svg = svgElement(
    "svg",
    { class: "evaluation-graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    svgElement("line", { class: "graph-level", x1: 0, x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
    this.#lines,
    this.#now,
  );
  #times = svgElement("svg", { class: "evaluation-graph times", viewBox: `0 0 ${WIDTH} ${TIMES_HEIGHT}`, preserveAspectRatio: "none", "aria-hidden": "true" });
  element = element(
    "div",
    {
      class: "evaluation-graph-box",
      role: "slider",
      tabindex: 0,
      "aria-label": gettext("Evaluation graph"),
      "aria-valuemin": 0,
      onclick: (/** @type {MouseEvent} */ event) => this.#click(event),
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.#press(event),
    },
    this.#svg,
    this.#times,
  );
  #plies = 0;
  #ply = 0;
  /** @type {readonly JudgedPly[] | null} */
  #drawn = null;

  /** @param {(ply: number) => void} onGo Receives the number of plies played. */
  constructor(onGo) {
    this.onGo = onGo;
  }

  /**
   * @param {readonly JudgedPly[]} plies
   * @param {number | null} turningPoint The ply that decided the match, if any.
   * @param {number} ply The shown ply.
   * @param {EvaluationGraphSeats} seats
   */
  show(plies, turningPoint, ply, seats) {
    if (plies !== this.#drawn) this.#draw(plies, turningPoint, seats);
    this.#ply = ply;
    const x = xOf(ply, this.#plies);
    this.#now.setAttribute("x1", String(x));
    this.#now.setAttribute("x2", String(x));
    this.element.setAttribute("aria-valuenow", String(ply));
    this.element.setAttribute("aria-valuetext", seats.describe(ply));
  }

  /** @param {readonly JudgedPly[]} plies @param {number | null} turningPoint @param {EvaluationGraphSeats} seats */
  #draw(plies, turningPoint, seats) {
    this.#drawn = plies;
    this.#plies = plies.length;
    this.element.setAttribute("aria-valuemax", String(plies.length));
    const x = turningPoint === null ? 0 : xOf(turningPoint, plies.length);
    const turning = turningPoint === null ? [] : [svgElement("line", { class: "graph-turning", x1: x, x2: x, y1: 0, y2: HEIGHT })];
    this.#times.replaceChildren(...bars(plies, seats));
    this.#times.toggleAttribute("hidden", seats.spent_ms === null);
    this.#lines.replaceChildren(...(seats.count === 2 ? ofTwo(plies) : ofMany(plies, seats)), ...turning);
  }

  /** @param {MouseEvent} event */
  #click(event) {
    const { left, width } = this.#svg.getBoundingClientRect();
    this.#go(Math.round(((event.clientX - left) / width) * this.#plies));
  }

  /** @param {KeyboardEvent} event */
  #press(event) {
    const step = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[event.key];
    const target = event.key === "Home" ? 0 : event.key === "End" ? this.#plies : step === undefined ? null : this.#ply + step;
    if (target === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    this.#go(target);
  }

  /** @param {number} ply */
  #go(ply) {
    this.onGo(Math.max(0, Math.min(this.#plies, ply)));
  }
}

/** The first seat's winning chances after a number of plies. @param {readonly JudgedPly[]} plies @param {number} ply */
export function chanceAfter(plies, ply) {
  return ply === 0 ? (plies[0]?.best.score.expectation ?? 0.5) : plies[ply - 1].score.expectation;
}

/** @param {readonly JudgedPly[]} plies */
function ofTwo(plies) {
  const points = Array.from({ length: plies.length + 1 }, (_, ply) => ({ x: xOf(ply, plies.length), y: yOf(chanceAfter(plies, ply)) }));
  const line = points.map(({ x, y }) => `${x},${y}`).join(" ");
  return [
    svgElement("polygon", { class: "graph-share", points: `0,${HEIGHT} ${line} ${WIDTH},${HEIGHT}` }),
    svgElement("polyline", { class: "graph-curve", points: line }),
    ...plies.flatMap(({ judgement }, index) => dot(judgement, points[index + 1].x, points[index + 1].y)),
  ];
}

/** @param {readonly JudgedPly[]} plies @param {EvaluationGraphSeats} seats */
function ofMany(plies, seats) {
  const points = plies.map(({ seat, best, judgement }, ply) => ({ seat, judgement, x: xOf(ply, plies.length), y: yOf(best.score.expectation) }));
  const lines = Array.from({ length: seats.count }, (_, seat) => {
    const own = points.filter((point) => point.seat === seat);
    return svgElement("polyline", { class: "graph-curve", "data-colour": seats.colourOf(seat), points: own.map(({ x, y }) => `${x},${y}`).join(" ") });
  });
  return [...lines, ...points.flatMap(({ judgement, x, y }) => dot(judgement, x, y))];
}

/** Short times stay visible beside long ones: heights grow with the root. @param {readonly JudgedPly[]} plies @param {EvaluationGraphSeats} seats */
function bars(plies, { count, colourOf, spent_ms }) {
  const longest = Math.max(1, ...(spent_ms ?? []));
  const [base, most] = count === 2 ? [TIMES_HEIGHT / 2, TIMES_HEIGHT / 2] : [TIMES_HEIGHT, TIMES_HEIGHT];
  return (spent_ms ?? []).map((time_ms, index) => {
    const { seat } = plies[index];
    const height = Math.round(most * Math.sqrt(time_ms / longest) * 10) / 10;
    const x = xOf(index + 0.5, plies.length);
    return svgElement("line", { class: "graph-time", "data-colour": colourOf(seat), x1: x, x2: x, y1: base, y2: count === 2 && seat === 1 ? base + height : base - height });
  });
}

/**
 * A dot is a line of no length with a round cap, which stays round when the graph is stretched.
 * @param {Judgement} judgement
 * @param {number} x
 * @param {number} y
 */
function dot(judgement, x, y) {
  return MARKED.includes(judgement) ? [svgElement("path", { class: "graph-mistake", "data-judgement": judgement, d: `M${x} ${y}h0.01` })] : [];
}

/** @param {number} ply @param {number} plies */
function xOf(ply, plies) {
  return Math.round((WIDTH * 10 * ply) / Math.max(1, plies)) / 10;
}

/** @param {number} expectation */
function yOf(expectation) {
  return Math.round(HEIGHT * 10 * (1 - expectation)) / 10;
}
