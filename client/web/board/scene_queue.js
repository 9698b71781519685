/**
 * Scenes that wait until the pieces of the scene before have arrived, so that two moves never overlap.
 *
 * No DOM besides the timer. The reader's own moves are shown immediately, and so is everything while animations are
 * off.
 */

import { isStill } from "../preferences.js";
import { MOVE_MS } from "./pieces.js";
import { isSamePlacement } from "./position.js";

/** @import { Scene } from "./board.js" */

/** Above this, scenes are skipped: the reader would fall behind the match. */
const MAX_WAITING = 4;

export class SceneQueue {
  /** @type {Scene[]} */
  #waiting = [];
  /** @type {Scene | null} */
  #drawn = null;
  /** Runs while pieces move. @type {ReturnType<typeof setTimeout> | undefined} */
  #timer = undefined;

  /** @param {(scene: Scene) => boolean} draw Returns whether pieces move. */
  constructor(draw) {
    this.draw = draw;
  }

  /** @param {Scene} scene */
  show(scene) {
    if (!scene.isQueued || scene.isSudden || document.hidden || isStill()) {
      this.#waiting = [];
      return this.#drawNow(scene);
    }
    const last = this.#waiting.at(-1);
    if (last !== undefined && isSamePlacement(last.position, scene.position)) this.#waiting[this.#waiting.length - 1] = scene;
    else if (last === undefined && (this.#timer === undefined || this.#isDrawn(scene))) this.#drawNow(scene);
    else this.#waiting = [...this.#waiting, scene].slice(-MAX_WAITING);
  }

  /** @param {Scene} scene */
  #isDrawn(scene) {
    return this.#drawn !== null && isSamePlacement(this.#drawn.position, scene.position);
  }

  /** @param {Scene} scene */
  #drawNow(scene) {
    this.#drawn = scene;
    if (!this.draw(scene)) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#next(), MOVE_MS);
  }

  #next() {
    this.#timer = undefined;
    const scene = this.#waiting.shift();
    if (scene === undefined) return;
    this.#drawNow(scene);
    if (this.#timer === undefined) this.#next();
  }
}
