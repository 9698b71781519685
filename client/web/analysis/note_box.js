/** The note on the shown move: a comment and an assessment of the move. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { GLYPH_NAMES, GLYPH_SIGNS } from "../match/note_texts.js";

/** @import { LineNode } from "./line_tree.js" */

/** As the server's. */
const MAX_COMMENT_LENGTH = 4_000;

export class NoteBox {
  #comment = element("textarea", {
    class: "note-text",
    rows: 2,
    maxlength: MAX_COMMENT_LENGTH,
    "aria-label": gettext("Comment"),
    placeholder: gettext("Comment on this position"),
    oninput: () => this.#write(),
  });
  #glyphs = new Map(Object.entries(GLYPH_SIGNS).map(([number, sign]) => [Number(number), this.#glyphButton(Number(number), sign)]));
  #clear = button(gettext("Remove the drawings"), () => this.#removeDrawings(), { class: "button small" });
  #row = element("div", { class: "note-glyphs", role: "group", "aria-label": gettext("Your opinion of the move") }, ...this.#glyphs.values());
  element = element("div", { class: "note-box" }, this.#row, this.#comment, this.#clear);
  /** @type {LineNode | null} */
  #node = null;

  /** @param {() => void} changed */
  constructor(changed) {
    this.changed = changed;
  }

  /** @param {LineNode} node */
  show(node) {
    if (node !== this.#node || this.#written !== node.comment) this.#replace(node.comment);
    this.#node = node;
    this.#row.hidden = node.parent === null;
    this.#clear.hidden = node.drawings.length === 0;
    for (const [number, each] of this.#glyphs) each.setAttribute("aria-pressed", String(node.glyphs.includes(number)));
  }

  /** @param {number} number @param {string} sign */
  #glyphButton(number, sign) {
    const label = gettext(GLYPH_NAMES[number]);
    return button(sign, () => this.#toggle(number), { class: "button small", "aria-label": label, title: label, "aria-pressed": "false" });
  }

  /** The comment in the box. */
  get #written() {
    return this.#comment.value.replaceAll(/[{}]/g, "").replaceAll(/\s+/g, " ").trimStart();
  }

  /** Show another comment; the caret stays at the words where it is. @param {string} comment */
  #replace(comment) {
    const { value, selectionStart: caret } = this.#comment;
    const isBefore = !comment.startsWith(value.slice(0, caret));
    this.#comment.value = comment;
    if (document.activeElement !== this.#comment) return;
    this.#comment.selectionEnd = this.#comment.selectionStart = Math.max(0, caret + (isBefore ? comment.length - value.length : 0));
  }

  #write() {
    if (this.#node === null) return;
    this.#node.comment = this.#written;
    this.changed();
  }

  /** @param {number} number */
  #toggle(number) {
    const node = this.#node;
    if (node === null) return;
    // A move has at most one of these signs; other signs, from imports, are kept.
    const others = node.glyphs.filter((glyph) => !(glyph in GLYPH_SIGNS));
    node.glyphs = node.glyphs.includes(number) ? others : [number, ...others];
    this.changed();
  }

  #removeDrawings() {
    if (this.#node === null) return;
    this.#node.drawings = [];
    this.changed();
  }
}
