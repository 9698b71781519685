/** Notes on plies as text: glyphs, comments, and variations as imported records have them. No DOM. */

import { gettext, later } from "../language/texts.js";

/** @import { Annotated } from "../protocol.js" */

/** The signs of glyphs after a move. @type {Record<number, string>} */
export const GLYPH_SIGNS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!" };

/** What the glyphs say. @type {Record<number, string>} */
export const GLYPH_NAMES = {
  1: later("Good move"),
  2: later("Mistake"),
  3: later("Brilliant move"),
  4: later("Blunder"),
  5: later("Interesting move"),
  6: later("Dubious move"),
};

/** @param {Annotated | undefined} note @returns {string} The signs of its glyphs. */
export function signsOf(note) {
  return (note?.glyphs ?? []).map((glyph) => GLYPH_SIGNS[glyph] ?? "").join("");
}

/** @param {Annotated | undefined} note @returns {string} Its comment, then its variations, for reading. */
export function noteWords(note) {
  if (note === undefined) return "";
  const lines = (note.variations ?? []).map((variation) => gettext("Instead: {line}", { line: readable(variation) }));
  return [note.comment ?? "", ...lines].filter((words) => words !== "").join(" ");
}

/** @param {string} variation With comments in braces and glyphs as numbers. */
function readable(variation) {
  return variation.replaceAll(/ ?\$(\d+)/g, (_, glyph) => GLYPH_SIGNS[Number(glyph)] ?? "").replaceAll(/\{([^}]*)\}/g, "– $1 –");
}
