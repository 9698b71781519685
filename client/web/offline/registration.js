/**
 * Registers the service worker, which stores the page for offline use and shows push messages.
 *
 * Browsers allow one on plain http only from this machine.
 */

/** @import { Connection } from "../connection/connection.js" */

const WORKER_PATH = "/service-worker.js";
/** Interval of asking a waiting worker to become active. */
const ASK_MS = 500;

/**
 * Register it once the page is loaded, so that it does not slow down the first view.
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
 * Let the worker serve this page, even if the page was loaded without it or while it became active.
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
 * Activate a new worker as soon as it has stored everything. Ask repeatedly, since Chromium may keep it waiting if the
 * old worker was busy at the first request.
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
