/**
 * Keeps the reader's settings with the account: read on signing in, stored after each change. Guests keep the browser's.
 */

import { RefusedError } from "../connection/requests.js";
import { preferenceEvents, preferences, takeOver } from "../preferences.js";

/** @import { Connection } from "../connection/connection.js" */

/** A slider that is dragged changes often; only the last change is stored. */
const STORE_AFTER_MS = 600;

/** @param {Connection} connection */
export function keepWithAccount(connection) {
  /** The player whose settings are in use. */
  let owner = "";
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer = undefined;

  connection.addEventListener("welcome", async () => {
    const { player } = connection;
    if (!player?.registered) owner = "";
    if (!player?.registered || player.id === owner) return;
    owner = player.id;
    const answer = await orRefusal(connection.ask({ type: "get_page_settings" }));
    const settings = answer?.settings ?? null;
    if (settings !== null && timer === undefined && owner === player.id) takeOver(settings);
  });

  preferenceEvents.addEventListener("changed", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      timer = undefined;
      if (!connection.player?.registered) return;
      const stored = await orRefusal(connection.ask({ type: "set_page_settings", settings: { ...preferences() } }));
      if (stored !== null) preferenceEvents.dispatchEvent(new Event("stored"));
    }, STORE_AFTER_MS);
  });
}

/**
 * The answer; null if refused: the settings then hold in this browser.
 * @template Answer
 * @param {Promise<Answer>} asked
 * @returns {Promise<Answer | null>}
 */
async function orRefusal(asked) {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return null;
  }
}
