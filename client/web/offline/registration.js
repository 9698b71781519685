/**
 * Registers the service worker, which keeps the page for use without the server and shows push messages.
 *
 * Browsers have none on plain http, except from this machine.
 */

/** @import { Connection } from "../connection/connection.js" */

const WORKER_PATH = "/service-worker.js";
/** Interval at which a worker that waits is asked to become active. */
const ASK_MS = 500;

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
  const registration = await workers.register(WORKER_PATH);
  registration.addEventListener("updatefound", () => activate(registration));
  activate(registration);
  const { active } = await workers.ready;
  if (workers.controller === null) active?.postMessage({ type: "claim" });
}

/**
 * Have a new worker take the place of the one before as soon as it keeps everything. It is asked until it does so, since
 * Chromium may go on waiting if the one before was busy when it was asked.
 * @param {ServiceWorkerRegistration} registration
 */
function activate(registration) {
  const asking = setInterval(() => {
    if (registration.waiting !== null) registration.waiting.postMessage({ type: "activate" });
    else if (registration.installing === null) clearInterval(asking);
  }, ASK_MS);
}

/** @param {() => void} act */
function whenIdle(act) {
  if ("requestIdleCallback" in window) requestIdleCallback(act);
  else setTimeout(act);
}
