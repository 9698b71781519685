/** An open match or a challenge as text. */

import { clocksText } from "../clock_texts.js";
import { gettext } from "../language/texts.js";

/** @import { Seek } from "../protocol.js" */

/** @param {Seek} seek @param {string} title Of the game. */
export function seekText(seek, title) {
  const open = seek.players.filter((name) => name === "").length;
  const facts = [
    title,
    clocksText(seek.clock, seek.initial_ms ?? [], seek.players),
    seek.rated ? gettext("rated") : gettext("casual"),
    seek.players.length > 2 ? gettext("{open} of {count} seats open", { open, count: seek.players.length }) : null,
    seek.setup === "" || seek.setup === `seats=${seek.players.length}` ? null : gettext("custom position"),
    seek.ratings ? gettext("for {least}–{most}", { least: seek.ratings.least, most: seek.ratings.most }) : null,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}
