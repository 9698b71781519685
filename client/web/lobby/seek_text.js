/**
 * An open match or a challenge as text.
 */

import { clockText } from "../clock_texts.js";

/** @import { Seek } from "../protocol.js" */

/**
 * @param {Seek} seek
 * @param {string} title Of the game.
 * @returns {string}
 */
export function seekText(seek, title) {
  const open = seek.players.filter((name) => name === "").length;
  const facts = [
    title,
    clockText(seek.clock),
    seek.rated ? "rated" : "casual",
    seek.players.length > 2 ? `${open} of ${seek.players.length} seats open` : null,
    seek.setup === "" || seek.setup === `seats=${seek.players.length}` ? null : "custom position",
    seek.ratings ? `for ${seek.ratings.least}–${seek.ratings.most}` : null,
  ];
  return facts.filter((fact) => fact !== null).join(" · ");
}
