/**
 * Registers the service worker, which keeps the page for use without the server and shows push messages.
 *
 * Browsers have none on plain http, except from this machine.
 */

/** @import { Connection } from "../connection/connection.js" */

const WORKER_PATH = "/service-worker.js";

/**
 * Register it once the page is loaded, so that it takes nothing from the first view.
 * @param {Connection} connection
 * @param {(path: string) => void} navigate
 */
export function registerWorker(connection, navigate) {
  const { serviceWorker } = navigator;
  if (serviceWorker === undefined) return;
  serviceWorker.addEventListener("message", ({ data }) => {
    if (data.type === "visit") navigate(data.path);
  });
  connection.whenKnown(() => whenIdle(() => register(serviceWorker).catch(() => undefined)));
  let wasAway = false;
  connection.addEventListener("status", async () => {
    if (connection.status === "offline") wasAway = true;
    if (connection.status !== "online" || !wasAway) return;
    wasAway = false;
    // A server that was away may have come back as a new release.
    (await serviceWorker.getRegistration())?.update().catch(() => undefined);
  });
}

/**
 * Have this page served by the worker, also if it was loaded past the worker, or while that became active.
 * @param {ServiceWorkerContainer} workers
 */
async function register(workers) {
  await workers.register(WORKER_PATH);
  const { active } = await workers.ready;
  if (workers.controller === null) active?.postMessage({ type: "claim" });
}

/** @param {() => void} act */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act);
  else setTimeout(act);
}
