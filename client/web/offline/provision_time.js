/** When to fetch what is needed offline, by `provisions.js`: once the page is idle, and stored itself. */

/** @import { Connection } from "../connection/connection.js" */
/** @import { OfflineMemory } from "./offline_memory.js" */

/** After the page has been loaded. */
const FETCH_AFTER_MS = 8_000;

/** @param {Connection} connection @param {OfflineMemory} memory */
export function fetchWhenIdle(connection, memory) {
  connection.whenKnown(() => setTimeout(() => whenKept(() => fetchNow(connection, memory).catch(() => undefined)), FETCH_AFTER_MS));
}

/** @param {Connection} connection @param {OfflineMemory} memory */
async function fetchNow(connection, memory) {
  await (await import("./provisions.js")).fetchProvisions(connection, memory);
}

/**
 * Act once the service worker serves this page; without one, never, since the page itself is not stored.
 * @param {() => void} act
 */
function whenKept(act) {
  const workers = navigator.serviceWorker;
  if (workers?.controller) act();
  else workers?.addEventListener("controllerchange", act, { once: true });
}
