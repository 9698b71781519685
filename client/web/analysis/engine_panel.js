/**
 * The engine's best lines for the shown position, with depth and speed.
 *
 * It only shows results and reports clicks; `engine_search.js` searches.
 */

import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { columnOf, numberOf } from "./line_list.js";
import { speedText, scoreSign, scoreText } from "./evaluation_texts.js";

/** @import { Result } from "./engine_search.js" */
/** @import { Variation } from "../protocol.js" */
/** @import { LineNode } from "./line_tree.js" */
/** @import { Lines } from "./line_list.js" */

const MAX_VARIATIONS = 3;
/** Moves of a variation that are shown. */
const SHOWN_MOVES = 10;

/**
 * @typedef {object} EngineHandlers
 * @property {(isOn: boolean) => void} turn
 * @property {(variations: number) => void} choose
 * @property {() => void} more
 * @property {(moves: string[]) => void} play
 */

export class EnginePanel {
  #facts = element("span", { class: "engine-facts" });
  #lines = element("ol", { class: "engine-lines" });
  #note = element("p", { class: "note engine-note", hidden: true });
  #switch;
  #count;
  #more;
  #key = "";

  /** @param {EngineHandlers} handlers @param {boolean} isOn @param {number} variations */
  constructor(handlers, isOn, variations) {
    this.handlers = handlers;
    this.#switch = element("input", { type: "checkbox", role: "switch", checked: isOn, onchange: () => handlers.turn(this.#switch.checked) });
    this.#count = element("select", { "aria-label": gettext("Number of lines"), onchange: () => handlers.choose(Number(this.#count.value)) });
    for (let count = 1; count <= MAX_VARIATIONS; count += 1) {
      this.#count.append(element("option", { value: count, selected: count === variations }, ngettext("{count} line", "{count} lines", count)));
    }
    this.#more = button(gettext("Search deeper"), handlers.more, { class: "button quiet small", title: gettext("Let the server search for longer") });
    this.element = element(
      "section",
      { class: "engine-panel", "aria-label": gettext("Engine") },
      element("div", { class: "engine-head" }, element("label", { class: "engine-switch" }, this.#switch, element("span", {}, gettext("Engine"))), this.#facts, this.#more, this.#count),
      this.#lines,
      this.#note,
    );
  }

  /**
   * @param {Result | null} told
   * @param {boolean} canBeDeeper Whether the server can search deeper.
   * @param {string} note A message beside or instead of the lines; empty for none.
   * @param {boolean} isOn
   * @param {Lines} lines
   * @param {(seat: number) => string} nameOf
   */
  show(told, canBeDeeper, note, isOn, lines, nameOf) {
    this.#switch.checked = isOn;
    const key = JSON.stringify([told, canBeDeeper, note, isOn, lines.node.ply]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.dataset.on = String(isOn);
    this.#more.hidden = !isOn || !canBeDeeper || told === null || told.variations.every(({ score }) => score.ends_in !== null);
    this.#count.hidden = !isOn;
    this.#note.hidden = note === "";
    this.#note.textContent = note;
    this.#facts.textContent = isOn && told !== null && told.depth > 0 ? factsOf(told) : "";
    const variations = isOn ? (told?.variations.filter(({ moves }) => moves.length > 0) ?? []) : [];
    this.#lines.replaceChildren(...variations.map((variation) => this.#line(variation, lines, nameOf)));
  }

  /** @param {Variation} variation @param {Lines} lines @param {(seat: number) => string} nameOf */
  #line({ score, moves }, lines, nameOf) {
    const words = scoreText(score, nameOf);
    const sign = element("span", { class: "score-sign", title: words, "aria-label": words, "data-side": sideOf(score.expectation) }, scoreSign(score));
    /** @type {(Node | string)[]} */
    const parts = [];
    for (const [index, move] of moves.slice(0, SHOWN_MOVES).entries()) {
      const node = /** @type {LineNode} */ ({ ply: lines.node.ply + index + 1 });
      const column = columnOf(lines, node);
      if (index === 0 || column === 0) parts.push(element("span", { class: "line-number" }, `${numberOf(lines, node)}${column === 0 ? "." : "…"}`));
      parts.push(button(move, () => this.handlers.play(moves.slice(0, index + 1)), { class: "move" }));
    }
    return element("li", { class: "engine-line" }, sign, element("span", { class: "engine-moves" }, ...parts));
  }
}

/** A result without nodes was looked up and has no speed. @param {Result} told */
function factsOf({ depth, nodes, nodes_per_second }) {
  return nodes === 0 ? gettext("depth {depth}", { depth }) : gettext("depth {depth} · {speed}", { depth, speed: speedText(nodes_per_second) });
}

/** @param {number} expectation */
function sideOf(expectation) {
  return expectation >= 0.5 ? "ahead" : "behind";
}
