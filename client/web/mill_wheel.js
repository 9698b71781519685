/**
 * The mill wheel in the mark of the site: it turns a notch when a mill is closed, spins at a win, rolls back at a loss and
 * rocks at a draw.
 */

import { isStill } from "./preferences.js";

/** @typedef {"notch" | "won" | "lost" | "draw"} Turn */

/** Degrees that the wheel passes, and how long it takes. @type {Record<Turn, { degrees: number[], time_ms: number }>} */
const TURNS = {
  notch: { degrees: [0, 49, 45], time_ms: 700 },
  won: { degrees: [0, 765], time_ms: 3000 },
  lost: { degrees: [0, -20, -20, 0], time_ms: 2400 },
  draw: { degrees: [0, 14, -14, 8, -8, 0], time_ms: 2000 },
};
/** Of the large wheels, in pixels. */
const SIZE = 36;

/** Turn the wheel in the header, unless the reader wants nothing to move. @param {Turn} turn */
export function turnWheel(turn) {
  const wheel = document.querySelector(".brand .mill-wheel");
  if (wheel instanceof SVGGElement) move(wheel, turn);
}

/** The mark of the site once more, and larger. @returns {SVGSVGElement} */
export function millWheel() {
  const wheel = /** @type {SVGSVGElement} */ (document.querySelector(".brand .mill")?.cloneNode(true));
  for (const side of ["width", "height"]) wheel.setAttribute(side, String(SIZE));
  return wheel;
}

/** A large wheel that spins once it is shown: a triumph. @returns {SVGSVGElement} */
export function spinningWheel() {
  const wheel = millWheel();
  const turning = wheel.querySelector(".mill-wheel");
  if (turning instanceof SVGGElement) move(turning, "won");
  return wheel;
}

/** @param {SVGGElement} wheel @param {Turn} turn */
function move(wheel, turn) {
  if (isStill()) return;
  const { degrees, time_ms } = TURNS[turn];
  const from = Number.parseFloat(wheel.style.rotate) || 0;
  wheel.animate({ rotate: degrees.map((each) => `${from + each}deg`) }, { duration: time_ms, easing: "cubic-bezier(0.2, 0.7, 0.3, 1)" });
  wheel.style.rotate = `${from + (degrees.at(-1) ?? 0)}deg`;
}
