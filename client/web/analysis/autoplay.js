/**
 * Automatic playback of a line: a button that starts and stops it, and its speed.
 *
 * It stops at the end of the line, and as soon as the reader goes elsewhere.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext, later } from "../language/texts.js";
import { recall, remember } from "../storage.js";

/** @import { LineNode } from "./line_tree.js" */

const PACE_KEY = "millrace.autoplay";
/** Each pace with its name and the milliseconds between moves. @type {[value: string, label: string, ms: number][]} */
const PACES = [
  ["slow", later("Slow"), 3000],
  ["normal", later("Normal"), 1500],
  ["fast", later("Fast"), 600],
];

export class Autoplay {
  #timer = 0;
  /** The node that was shown last. @type {LineNode | null} */
  #node = null;
  #button = button(icon("play"), () => this.#toggle(), { class: "button step", "aria-pressed": "false" });
  #pace;

  /** @param {(node: LineNode) => void} onStep Called with the next node. */
  constructor(onStep) {
    this.onStep = onStep;
    const chosen = recall(PACE_KEY) ?? "normal";
    const options = PACES.map(([value, label]) => element("option", { value, selected: value === chosen }, gettext(label)));
    this.#pace = element("select", { "aria-label": gettext("Playback speed"), title: gettext("Playback speed"), onchange: () => this.#choosePace() }, ...options);
    this.element = element("div", { class: "autoplay" }, this.#button, this.#pace);
    this.#showState();
  }

  /** @param {LineNode} node The node that is shown now. */
  show(node) {
    if (node === this.#node) return;
    const isNext = this.#node !== null && this.#node.children[0] === node;
    this.#node = node;
    if (!isNext) this.stop();
    this.#button.disabled = node.children.length === 0 && !this.#isPlaying;
    if (this.#isPlaying) this.#schedule();
  }

  stop() {
    if (!this.#isPlaying) return;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#showState();
  }

  get #isPlaying() {
    return this.#timer !== 0;
  }

  #toggle() {
    if (this.#isPlaying) return this.stop();
    this.#step();
  }

  #step() {
    const next = this.#node?.children[0];
    if (next === undefined) return this.stop();
    this.#schedule();
    this.onStep(next);
  }

  #schedule() {
    clearTimeout(this.#timer);
    const [, , pace_ms] = PACES.find(([value]) => value === this.#pace.value) ?? PACES[1];
    this.#timer = setTimeout(() => this.#step(), pace_ms);
    this.#showState();
  }

  #choosePace() {
    remember(PACE_KEY, this.#pace.value);
    if (this.#isPlaying) this.#schedule();
  }

  #showState() {
    const label = this.#isPlaying ? gettext("Stop playing") : gettext("Play the line");
    this.#button.replaceChildren(icon(this.#isPlaying ? "pause" : "play"));
    this.#button.setAttribute("aria-pressed", String(this.#isPlaying));
    this.#button.setAttribute("aria-label", label);
    this.#button.title = label;
    if (!this.#isPlaying) this.#button.disabled = this.#node?.children.length === 0;
  }
}
