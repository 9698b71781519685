/**
 * The rules and the bots of matches on this device: a worker that is started when it is first asked.
 */

/** @import { EngineLine } from "../protocol.js" */
/** @import { PlayAnswer } from "./play_worker.js" */
/** @import { Situation } from "./engine_module.js" */

const LARGEST_SEED = 2 ** 31;

export class PlayEngine {
  /** @type {Worker | null} */
  #worker = null;
  #asked = 0;
  /** By the number of the question. @type {Map<number, { resolve: (answer: any) => void, reject: (reason: Error) => void }>} */
  #waiting = new Map();

  /** @param {EngineLine} line @returns {Promise<Situation>} What players see at its end. */
  async look(line) {
    return (await this.#ask(line, null)).situation;
  }

  /** @param {EngineLine} line @param {number} level @returns {Promise<number>} The move that it chooses. */
  async choose(line, level) {
    const seed = Math.floor(Math.random() * LARGEST_SEED);
    return (await this.#ask(line, { level, seed })).chosen;
  }

  /** @param {EngineLine} line @param {number} level @param {number} seed @returns {Promise<string>} The text of the move that the server's bots would choose. */
  async chooseText(line, level, seed) {
    const { situation, chosen } = await this.#ask(line, { level, seed });
    return /** @type {Situation} */ (situation).moves.find(({ move }) => move === chosen)?.text ?? "";
  }

  /** End the worker, and free its memory. */
  close() {
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @param {EngineLine} line @param {{ level: number, seed: number } | null} bot @returns {Promise<any>} */
  #ask(line, bot) {
    this.#worker ??= this.#start();
    this.#asked += 1;
    this.#worker.postMessage({ number: this.#asked, line, bot });
    return new Promise((resolve, reject) => this.#waiting.set(this.#asked, { resolve, reject }));
  }

  #start() {
    const worker = new Worker(new URL("./play_worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#hear(data));
    worker.addEventListener("error", ({ message }) => this.#fail(message));
    return worker;
  }

  /** @param {PlayAnswer} answer */
  #hear(answer) {
    const waiting = this.#waiting.get(answer.number);
    this.#waiting.delete(answer.number);
    if ("fault" in answer) waiting?.reject(new Error(answer.fault));
    else waiting?.resolve(answer);
  }

  /** @param {string} fault */
  #fail(fault) {
    for (const { reject } of this.#waiting.values()) reject(new Error(fault));
    this.#waiting.clear();
    this.close();
  }
}
