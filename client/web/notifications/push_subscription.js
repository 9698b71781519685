/**
 * This browser's subscription to push messages, which arrive while no page is open.
 *
 * The browser's push service issues it. The page sends it to the server at each visit, since the reader may have changed.
 */

import { RefusedError } from "../connection/requests.js";

/** @import { Connection } from "../connection/connection.js" */

/** Refusals of a subscription that would recur. */
const FINAL = new Set(["malformed", "subscription_ended"]);

/**
 * Subscribe this browser, if possible, and send the subscription to the server; renew one that the push service has ended.
 * @param {Connection} connection
 * @returns {Promise<boolean | null>} Whether push messages will arrive; null if the server could not be asked.
 */
export async function subscribe(connection) {
  const registration = await registered();
  if (registration === null) return false;
  const manager = registration.pushManager;
  try {
    const { key } = await connection.ask({ type: "get_push_key" });
    try {
      return await send(connection, await subscriptionWith(manager, key));
    } catch (error) {
      if (!(error instanceof RefusedError) || error.code !== "subscription_ended") throw error;
      await (await manager.getSubscription())?.unsubscribe();
      return await send(connection, await subscriptionWith(manager, key));
    }
  } catch (error) {
    // Without a push service, or with one that the server cannot use, notifications come from open pages.
    return error instanceof DOMException || (error instanceof RefusedError && FINAL.has(error.code)) ? false : null;
  }
}

/**
 * @param {Connection} connection
 * @param {PushSubscription} subscription
 * @returns {Promise<boolean>} Whether it has what the server needs.
 */
async function send(connection, subscription) {
  const { endpoint, keys } = subscription.toJSON();
  if (endpoint === undefined || keys === undefined) return false;
  await connection.ask({ type: "subscribe_to_push", endpoint, key: keys.p256dh, secret: keys.auth });
  return true;
}

/** End this browser's subscription. @param {Connection} connection */
export async function unsubscribe(connection) {
  const subscription = await (await registered())?.pushManager.getSubscription();
  if (!subscription) return;
  await connection.ask({ type: "unsubscribe_from_push", endpoint: subscription.endpoint }).catch(() => undefined);
  await subscription.unsubscribe();
}

/**
 * Show a notification: by the service worker, which browsers on phones require, or else by the page.
 * @param {string} title
 * @param {NotificationOptions} options
 * @param {string} path What it leads to.
 * @param {(path: string) => void} navigate
 */
export async function showNotification(title, options, path, navigate) {
  const registration = await registered();
  if (registration !== null) return void registration.showNotification(title, { ...options, data: { path } });
  const shown = new Notification(title, options);
  shown.addEventListener("click", () => {
    window.focus();
    navigate(path);
    shown.close();
  });
}

/** @returns {Promise<ServiceWorkerRegistration | null>} Null if there is no service worker that runs. */
async function registered() {
  const registration = await navigator.serviceWorker?.getRegistration();
  return registration?.active && "pushManager" in registration ? registration : null;
}

/**
 * The browser's subscription with the server's key; one with another key, of an earlier server, is replaced.
 * @param {PushManager} manager
 * @param {string} key
 */
async function subscriptionWith(manager, key) {
  const before = await manager.getSubscription();
  const used = before?.options.applicationServerKey ?? null;
  if (before !== null && used !== null && textOf(used) === key) return before;
  await before?.unsubscribe();
  return manager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
}

/** @param {ArrayBuffer} key @returns {string} In base64 for addresses, without padding. */
function textOf(key) {
  return btoa(String.fromCharCode(...new Uint8Array(key))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
