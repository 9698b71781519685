/** Icons for buttons, drawn because fonts lack them or colour them. */

import { svgElement } from "./element.js";

const PATHS = {
  first: "M6 5v14M18 6l-8 6 8 6z",
  back: "M16 6l-8 6 8 6z",
  forward: "M8 6l8 6-8 6z",
  last: "M18 5v14M6 6l8 6-8 6z",
  turn: "M7 20V5M3 9l4-4 4 4M17 4v15M13 15l4 4 4-4",
  sound: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM15.5 9a4.5 4.5 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11",
  mute: "M4 9.5h3.5L12 5.5v13l-4.5-4H4zM16 9.5l5 5M21 9.5l-5 5",
  draw: "M4.5 6.5L7 4.5v7M17 5L7 19.5M13.5 15a2.6 2.6 0 1 1 4.6 1.6L13.5 20.5h5.2",
  rematch: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3M17.8 3v4.2h-4.2",
  down: "M12 5v14M6 13l6 6 6-6",
  undo: "M9 6L4 11l5 5M4 11h9.5a5.5 5.5 0 0 1 0 8H10",
  hand: "M8 12V6.5a1.5 1.5 0 0 1 3 0V11V5a1.5 1.5 0 0 1 3 0v6.5V6.5a1.5 1.5 0 0 1 3 0V15a5.5 5.5 0 0 1-5.5 5.5c-3 0-4.5-1.5-6-4L4 13.5a1.4 1.4 0 0 1 2.3-1.5z",
  eraser: "M8.5 19.5L3.5 14.5 13 5l6.5 6.5-8 8zM8.5 9.5l6.5 6.5M8 19.5h12",
  pencil: "M4 20l1-4.5L15.5 5l3.5 3.5L8.5 19zM13.5 7l3.5 3.5",
  pause: "M8.5 5v14M15.5 5v14",
  play: "M7 5l12 7-12 7z",
  more: "M10.5 21a8 8 0 1 1 7.6-10.5M10.5 8.5V13l3 2M18 14v7M14.5 17.5h7",
  flag: "M5.5 21V4M5.5 4.5h12l-3 4 3 4h-12",
  analyse: "M4 4.5v15.5h16M7.5 15l4-5 3.5 3 5-7",
  flame: "M12 3c1 4 5.5 5.5 5.5 11a5.5 5.5 0 0 1-11 0c0-2.5 1.5-4 2.5-5 .3 1.8 1 2.6 2 3 .5-3-.5-6 1-9z",
  new: "M12 5v14M5 12h14",
  dots: "M5 12h.1M12 12h.1M19 12h.1",
  close: "M6 6l12 12M18 6L6 18",
  chat: "M4.5 5h15v10.5h-8L7 19.5v-4H4.5z",
  bell: "M6 16.5V10.5a6 6 0 0 1 12 0v6l1.5 1.5h-15zM10 20.5a2.2 2.2 0 0 0 4 0",
  bot: "M5 9.5h14v9H5zM12 9.5V5.5M12 4.2v.1M9 13.2v1.2M15 13.2v1.2M2.5 12.5v3.5M21.5 12.5v3.5",
  friend: "M8.5 11.5a3.4 3.4 0 1 0 0-6.8 3.4 3.4 0 0 0 0 6.8M2.5 19.5c0-3.4 2.7-5.2 6-5.2s6 1.8 6 5.2M15.5 5.2a3.2 3.2 0 0 1 0 6M17 14.6c2.6.4 4.5 2.1 4.5 4.9",
  pass: "M7.5 3.5h9v17h-9zM11 17.6h2M3.5 8.5L2 10l1.5 1.5M2 10h3M20.5 12.5L22 14l-1.5 1.5M22 14h-3",
  watch: "M2.5 12s3.5-6.2 9.5-6.2 9.5 6.2 9.5 6.2-3.5 6.2-9.5 6.2S2.5 12 2.5 12M12 14.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6",
  clock: "M12 20.5a8 8 0 1 0 0-16 8 8 0 0 0 0 16M12 8v4.7l3 2M9.5 2h5",
  language: "M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17M3.5 12h17M12 3.5c-5 5-5 12 0 17M12 3.5c5 5 5 12 0 17",
  theme: "M20 14.5A8.2 8.2 0 1 1 9.5 4a6.6 6.6 0 0 0 10.5 10.5z",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name @returns {SVGSVGElement} */
export function icon(name) {
  return svgElement(
    "svg",
    { class: `icon icon-${name}`, viewBox: "0 0 24 24", "aria-hidden": "true" },
    svgElement("path", { d: PATHS[name] }),
  );
}
