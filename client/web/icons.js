/**
 * The signs on buttons, drawn rather than typed: fonts lack them or colour them.
 */

import { svgElement } from "./element.js";

const PATHS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M16 6l-8 6 8 6z",
  forth: "M8 6l8 6-8 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
  turn: "M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4",
  sound: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM16 9.5l5 5M21 9.5l-5 5",
  theme: "M20 14.5A8.2 8.2 0 1 1 9.5 4a6.6 6.6 0 0 0 10.5 10.5z",
};

/** @typedef {keyof typeof PATHS} IconName */

/**
 * @param {IconName} name
 * @returns {SVGSVGElement}
 */
export function icon(name) {
  return svgElement(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svgElement("path", { d: PATHS[name] }),
  );
}
