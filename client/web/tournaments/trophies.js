/** The trophies of a player: the first three places of tournaments. */

import { dateText } from "../dates.js";
import { element, svgElement } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { Trophy } from "../protocol.js" */

const CUP = "M7 4h10v6a5 5 0 0 1-10 0zM7 5.5H3.5C3.5 9 5 10.5 7.3 10.5M17 5.5h3.5c0 3.5-1.5 5-3.8 5M12 15v4M8 20h8";

/** @param {Trophy[]} trophies @returns {HTMLElement[]} A section; nothing without trophies. */
export function trophySection(trophies) {
  if (trophies.length === 0) return [];
  const title = gettext("Trophies");
  return [element("section", { class: "card", "aria-label": title }, element("h2", {}, title), element("ul", { class: "trophies" }, ...trophies.map(entry)))];
}

/** @param {Trophy} trophy */
function entry({ tournament, name, place, players, at_ms }) {
  return element(
    "li",
    {},
    svgElement("svg", { class: `trophy place-${place}`, viewBox: "0 0 24 24", "aria-hidden": "true" }, svgElement("path", { d: CUP })),
    element("span", {}, element("a", { href: `/tournament/${tournament}` }, gettext(name)), element("br"), element("span", { class: "soft" }, `${gettext("Place {place} of {players}", { place, players })} · ${dateText(at_ms)}`)),
  );
}
