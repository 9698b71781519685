/**
 * The worker of matches on this device: it says what a line's end looks like, and moves for bots.
 */

import { EngineModule } from "./engine_module.js";

/** @import { EngineLine } from "../protocol.js" */
/** @import { Situation } from "./engine_module.js" */

/**
 * @typedef {object} PlayQuestion
 * @property {number} number The answer names it.
 * @property {EngineLine} line
 * @property {{ level: number, seed: number } | null} bot Who is to choose a move; null to look only.
 */
/** @typedef {{ number: number, situation: Situation, chosen: number } | { number: number, fault: string }} PlayAnswer */

/** At least what any level asks for. */
const TABLE_MEGABYTES = 16;

/** @type {Map<string, Promise<EngineModule>>} */
const modules = new Map();

self.addEventListener("message", async ({ data }) => {
  const question = /** @type {PlayQuestion} */ (data);
  const { number } = question;
  self.postMessage(await answer(question).catch((error) => (modules.clear(), { number, fault: error.message })));
});

/** @param {PlayQuestion} question @returns {Promise<PlayAnswer>} */
async function answer({ number, line, bot }) {
  const address = /** @type {string} */ (line.module);
  const loading = modules.get(address) ?? EngineModule.load(address, TABLE_MEGABYTES);
  modules.set(address, loading);
  const module = await loading;
  module.setUp(line);
  const chosen = bot === null ? 0 : module.choose(bot.level, bot.seed);
  return { number, situation: module.situation(), chosen };
}
