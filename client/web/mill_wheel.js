/**
 * The mill wheel in the mark of the site: it turns a notch when a mill is closed, spins at a win, rolls back at a loss and
 * rocks at a draw, and the water below the header flows with it.
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
const EASING = "cubic-bezier(0.2, 0.7, 0.3, 1)";
/** Of the large wheels, in pixels. */
const SIZE = 36;
/** The water that flows past while the wheel turns by a degree, in pixels, by the layers of waves in the header. */
const FLOWS = { "::before": 0.3, "::after": 0.5 };

/** Turn the wheel in the header, unless the reader wants nothing to move. @param {Turn} turn */
export function turnWheel(turn) {
  const wheel = document.querySelector(".brand .mill-wheel");
  if (wheel instanceof SVGGElement) move(wheel, turn);
  if (isStill()) return;
  const { degrees, time_ms } = TURNS[turn];
  for (const [pseudoElement, flow] of Object.entries(FLOWS)) {
    document.querySelector(".site-header")?.animate({ maskPosition: degrees.map((each) => `${each * flow}px 0`) }, { duration: time_ms, easing: EASING, pseudoElement });
  }
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
  wheel.animate({ rotate: degrees.map((each) => `${from + each}deg`) }, { duration: time_ms, easing: EASING });
  wheel.style.rotate = `${from + (degrees.at(-1) ?? 0)}deg`;
}
