/**
 * The page's own engine: a worker that is started when it is first needed, and rests while the page is hidden.
 */

/** @import { EngineLine } from "../protocol.js" */
/** @import { Answered, Failed, Found, Order, Reviewed } from "./engine_worker.js" */

export class PageEngine {
  /** @type {Worker | null} */
  #worker = null;
  #search = 0;
  /** @type {(answer: any) => void} */
  #receive = () => {};
  /** Whether the browser can run engines, as far as is known. */
  isUsable = typeof WebAssembly === "object" && "compileStreaming" in WebAssembly && typeof Worker === "function";

  /** Start the worker, which takes a moment, before it is needed. */
  start() {
    if (this.isUsable) this.#worker ??= this.#start();
  }

  /** Load a module before it is needed. @param {string} address */
  load(address) {
    this.#order({ type: "load", address });
  }

  /**
   * Search the end of a line, deeper and deeper, until it is settled. A search ends the one before.
   * @param {EngineLine} line
   * @param {number} variations The number of best moves to return.
   * @param {(found: Found | null) => void} receive Null if the engine has failed.
   */
  analyse(line, variations, receive) {
    this.#order({ type: "analyse", search: this.#begin(receive), line, variations });
  }

  /**
   * Judge every move of a line. It ends the search before.
   * @param {EngineLine} line
   * @param {(reviewed: Reviewed | null) => void} receive Null if the engine has failed.
   */
  review(line, receive) {
    this.#order({ type: "review", search: this.#begin(receive), line });
  }

  /**
   * Compare a move with the best one. It ends the search before.
   * @param {EngineLine} line What was played before.
   * @param {string} text The move, as a player writes it.
   * @param {(answered: Answered | null) => void} receive Null if the engine has failed.
   */
  judge(line, text, receive) {
    this.#order({ type: "judge", search: this.#begin(receive), line, text });
  }

  /** End the search. */
  stop() {
    this.#receive = () => {};
    if (this.#worker !== null) this.#order({ type: "stop" });
  }

  /** End the worker, and free its memory. */
  close() {
    document.removeEventListener("visibilitychange", this.#rest);
    this.#worker?.terminate();
    this.#worker = null;
  }

  /** @param {(answer: any) => void} receive @returns {number} The number of the search that begins. */
  #begin(receive) {
    this.#receive = receive;
    return (this.#search += 1);
  }

  /** @param {Order} order */
  #order(order) {
    this.#worker ??= this.#start();
    this.#worker.postMessage(order);
  }

  #start() {
    const worker = new Worker(new URL("./engine_worker.js", import.meta.url), { type: "module" });
    worker.addEventListener("message", ({ data }) => this.#hear(data));
    worker.addEventListener("error", ({ message }) => this.#fail(message));
    document.addEventListener("visibilitychange", this.#rest);
    if (document.hidden) worker.postMessage({ type: "pause" });
    return worker;
  }

  /** @param {Found | Reviewed | Answered | Failed} answer */
  #hear(answer) {
    if (answer.search !== this.#search) return;
    if ("fault" in answer) this.#fail(answer.fault);
    else this.#receive(answer);
  }

  /** @param {string} fault */
  #fail(fault) {
    console.error(`The engine in the page has failed: ${fault}`);
    this.isUsable = false;
    this.#receive(null);
    this.close();
  }

  #rest = () => this.#order({ type: document.hidden ? "pause" : "resume" });
}
