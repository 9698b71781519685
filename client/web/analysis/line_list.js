/**
 * The tree of variations as text: the main line in rows, variations between them, and buttons to step through.
 *
 * It marks the shown node and asks the page to show another.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { Autoplay } from "./autoplay.js";
import { endOf, lineTo } from "./line_tree.js";
import { JUDGEMENT_SIGNS, judgementName } from "./evaluation_texts.js";
import { GLYPH_NAMES, GLYPH_SIGNS } from "../match/note_texts.js";
import { noteText } from "./movetext.js";

/** @import { IconName } from "../icons.js" */
/** @import { Judgement } from "../protocol.js" */
/** @import { Shortcut } from "../shortcuts/shortcuts.js" */
/** @import { LineNode, LineTree } from "./line_tree.js" */

/**
 * @typedef {object} LineHandlers
 * @property {(node: LineNode) => void} go
 * @property {(node: LineNode) => void} promote
 * @property {(node: LineNode) => void} remove
 */
/**
 * The content of the list.
 * @typedef {object} Lines
 * @property {LineTree} tree
 * @property {LineNode} node The shown node.
 * @property {number} seats
 * @property {number} firstSeat The seat to move at the root.
 * @property {(node: LineNode) => Judgement | null} judgementOf
 */

export class LineList {
  #list = element("ol", { class: "moves lines", "aria-label": gettext("Moves and variations") });
  /** @type {Map<LineNode, HTMLButtonElement>} */
  #moves = new Map();
  /** @type {Lines | null} */
  #shown = null;
  #key = "";
  #autoplay;

  /** @param {LineHandlers} handlers */
  constructor(handlers) {
    this.handlers = handlers;
    this.#autoplay = new Autoplay(handlers.go);
    this.#first = this.#step("first", gettext("First position (Home)"), (node) => lineTo(node)[0]?.parent ?? null);
    this.#back = this.#step("back", gettext("One move back (Left arrow)"), (node) => node.parent);
    this.#forth = this.#step("forward", gettext("One move forward (Right arrow)"), (node) => node.children[0] ?? null);
    this.#last = this.#step("last", gettext("End of the line (End)"), endOf);
    this.#promote = button(gettext("Promote"), () => this.#shown && handlers.promote(this.#shown.node), { title: gettext("Make this the main line") });
    this.#remove = button(gettext("Delete"), () => this.#shown && handlers.remove(this.#shown.node), { title: gettext("Delete this move and everything after it") });
    this.#edit = element("div", { class: "line-edit" }, this.#promote, this.#remove);
    this.element = element(
      "section",
      { class: "move-list line-list", "aria-label": gettext("Lines") },
      this.#list,
      this.#edit,
      element("div", { class: "stepping" }, this.#first, this.#back, this.#forth, this.#last),
      this.#autoplay.element,
    );
  }

  #first;
  #back;
  #forth;
  #last;
  #promote;
  #remove;
  #edit;

  /** @param {Lines} lines */
  show(lines) {
    const { tree, node } = lines;
    const key = keyOf(lines);
    this.#moves.get(/** @type {LineNode} */ (this.#shown?.node))?.removeAttribute("aria-current");
    if (key !== this.#key || tree !== this.#shown?.tree) this.#draw(lines);
    this.#key = key;
    this.#shown = lines;
    const current = this.#moves.get(node);
    current?.setAttribute("aria-current", "step");
    this.#first.disabled = this.#back.disabled = node.parent === null;
    this.#forth.disabled = this.#last.disabled = node.children.length === 0;
    this.#edit.hidden = node.isFixed;
    this.#promote.disabled = !tree.canPromote(node);
    this.#scrollTo(current);
    this.#autoplay.show(node);
  }

  /** Stop the automatic playback. */
  stop() {
    this.#autoplay.stop();
  }

  /** @returns {Shortcut[]} */
  get shortcuts() {
    return [
      this.#shortcut("ArrowLeft", gettext("One move back"), ({ node }) => node.parent),
      this.#shortcut("ArrowRight", gettext("One move forward"), ({ node }) => node.children[0] ?? null),
      this.#shortcut("ArrowUp", gettext("Previous variation"), ({ node }) => sibling(node, -1)),
      this.#shortcut("ArrowDown", gettext("Next variation"), ({ node }) => sibling(node, 1)),
      this.#shortcut("Home", gettext("First position"), ({ tree }) => tree.root),
      this.#shortcut("End", gettext("End of the line"), ({ node }) => endOf(node)),
    ];
  }

  /**
   * @param {string} key
   * @param {string} label
   * @param {(lines: Lines) => LineNode | null} targetOf The node to show; null for none.
   * @returns {Shortcut}
   */
  #shortcut(key, label, targetOf) {
    const run = () => {
      const target = this.#shown === null ? null : targetOf(this.#shown);
      if (target !== null) this.handlers.go(target);
    };
    return { keys: [key], label, run };
  }

  /** @param {Lines} lines */
  #draw(lines) {
    this.#list.replaceChildren();
    this.#moves.clear();
    /** @type {HTMLElement | null} */
    let row = null;
    let isAgain = false;
    this.#list.append(...commentRow(lines.tree.root));
    for (let node = lines.tree.root.children[0]; node !== undefined; node = node.children[0]) {
      const column = columnOf(lines, node);
      if (row === null || column === 0) {
        row = rowOf(lines, node, isAgain && column > 0);
        this.#list.append(row);
      }
      row.append(this.#move(lines, node));
      isAgain = false;
      const others = node.parent?.children.slice(1) ?? [];
      const comment = commentRow(node);
      this.#list.append(...comment);
      if (comment.length > 0) [row, isAgain] = [null, true];
      if (others.length === 0) continue;
      this.#list.append(element("li", { class: "variations" }, ...others.map((other) => element("p", { class: "variation" }, ...this.#flow(lines, other)))));
      [row, isAgain] = [null, true];
    }
  }

  /**
   * A variation as running text, with those that branch off from it in brackets.
   * @param {Lines} lines
   * @param {LineNode} first
   * @returns {(Node | string)[]}
   */
  #flow(lines, first) {
    /** @type {(Node | string)[]} */
    const parts = [];
    let isBroken = true;
    for (let node = first; node !== undefined; node = node.children[0]) {
      const column = columnOf(lines, node);
      if (column === 0 || isBroken) parts.push(element("span", { class: "line-number" }, `${numberOf(lines, node)}${column === 0 ? "." : "…"}`));
      parts.push(this.#move(lines, node));
      if (node.comment !== "") parts.push(element("span", { class: "move-comment" }, node.comment));
      const others = node === first ? [] : (node.parent?.children.slice(1) ?? []);
      for (const other of others) parts.push(" (", ...this.#flow(lines, other), ") ");
      isBroken = others.length > 0;
    }
    return parts;
  }

  /** @param {Lines} lines @param {LineNode} node */
  #move(lines, node) {
    const judgement = lines.judgementOf(node);
    const glyphs = node.glyphs.map((glyph) => GLYPH_SIGNS[glyph] ?? "").join("");
    const sign = glyphs !== "" ? ` ${glyphs}` : judgement === null ? "" : JUDGEMENT_SIGNS[judgement];
    const said = [...node.glyphs.flatMap((glyph) => GLYPH_NAMES[glyph] ?? []).map((name) => gettext(name)), judgement === null || judgement === "good" ? "" : judgementName(judgement)];
    const label = [node.move, ...said.filter((words) => words !== "")].join(", ");
    const attributes = { class: "move", "aria-label": label, "data-judgement": judgement ?? "" };
    const move = button(node.move + sign, () => this.handlers.go(node), attributes);
    this.#moves.set(node, move);
    return move;
  }

  /** Within the list only: the page must not jump. @param {HTMLElement | undefined} move */
  #scrollTo(move) {
    if (move === undefined) return void (this.#list.scrollTop = 0);
    const [list, item] = [this.#list.getBoundingClientRect(), move.getBoundingClientRect()];
    if (item.top < list.top) this.#list.scrollTop -= list.top - item.top + 4;
    else if (item.bottom > list.bottom) this.#list.scrollTop += item.bottom - list.bottom + 4;
  }

  /** @param {IconName} sign @param {string} label @param {(node: LineNode) => LineNode | null} targetFrom */
  #step(sign, label, targetFrom) {
    const press = () => {
      const target = this.#shown && targetFrom(this.#shown.node);
      if (target) this.handlers.go(target);
    };
    return button(icon(sign), press, { class: "button step", "aria-label": label, title: label });
  }
}

/** @param {LineNode} node @returns {HTMLLIElement[]} Its comment as a row of its own, if it has one. */
function commentRow({ comment }) {
  return comment === "" ? [] : [element("li", { class: "move-comment" }, comment)];
}

/** @param {LineNode} node @param {number} steps */
function sibling(node, steps) {
  const siblings = node.parent?.children ?? [];
  return siblings[siblings.indexOf(node) + steps] ?? null;
}

/** @param {Lines} lines @param {LineNode} node @returns {number} The seat that made the move: seats strictly rotate. */
export function columnOf({ firstSeat, seats }, node) {
  return (firstSeat + node.ply - 1) % seats;
}

/** @param {Lines} lines @param {LineNode} node */
export function numberOf({ firstSeat, seats }, node) {
  return Math.floor((firstSeat + node.ply - 1) / seats) + 1;
}

/** @param {Lines} lines @returns {string} The moves to the shown node, such as `1. d6 f4 2. a4`. */
export function lineText(lines) {
  return lineTo(lines.node)
    .map((node) => (columnOf(lines, node) === 0 ? `${numberOf(lines, node)}. ${node.move}` : node.move))
    .join(" ");
}

/** @param {Lines} lines @param {LineNode} node @param {boolean} isAgain Whether variations interrupted the row. */
function rowOf(lines, node, isAgain) {
  const row = element("li", { class: `move-row of-${lines.seats}${isAgain ? " again" : ""}` });
  for (let empty = 0; empty < columnOf(lines, node); empty += 1) row.append(element("span", { class: "no-move" }, "…"));
  return row;
}

/** @param {Lines} lines */
function keyOf({ tree, seats, firstSeat, judgementOf }) {
  /** @type {string[]} */
  const parts = [`${seats} ${firstSeat}`];
  const walk = (/** @type {LineNode} */ node) => {
    parts.push(node.move, judgementOf(node) ?? "", noteText(node));
    for (const child of node.children) walk(child);
    parts.push(")");
  };
  walk(tree.root);
  return parts.join(" ");
}
