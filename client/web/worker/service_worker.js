/**
 * The service worker: stores the page for offline use, and shows push messages while no page is open.
 *
 * Everything that it stores is from one release. The page itself is requested from the server first, so a new release
 * is shown immediately. Only if the server is away, the stored page of the latest complete release is used.
 * Its scripts name their release in their addresses, so they can never come from another one. The previous release is
 * kept as well, for pages that are still open.
 */

/**
 * A notification as the server sends it (`server/notifications/push/push_messages.py`).
 * @typedef {object} Pushed
 * @property {string} title In English.
 * @property {string} message The title without its values, by which it is translated.
 * @property {{ name: string, reason: string }} values
 * @property {string} game
 * @property {string} body
 * @property {string} path
 * @property {string} tag
 */
/**
 * The values that the server puts before this script (`server/web/pages.py`).
 * @typedef {object} Served
 * @property {string} release
 * @property {number} version Of the protocol.
 * @property {string} shell The address of the page in this release.
 * @property {string[]} files The addresses of all files that the page loads.
 * @property {string[]} catalogue The addresses of those files that translate it; none for English.
 * @property {string} icon
 * @property {string} badge
 * @property {string[]} pages The paths of the page.
 * @property {string[]} folders The beginnings of further paths of the page.
 * @property {string} file_name The pattern of paths in them that are not pages.
 */

const worker = /** @type {ServiceWorkerGlobalScope & { served: Served }} */ (/** @type {unknown} */ (self));
const { release, version, shell, files, catalogue, icon, badge, pages, folders, file_name } = worker.served;
const PREFIX = "millrace-";
const CACHE = PREFIX + release;
const FILE_NAME = new RegExp(file_name);
const LANGUAGE_FILE = /\/language\/[\w-]+\.\w+\.json$/;
/** A server that has not answered by then is treated as away. */
const SLOW_MS = 5_000;
/** Ends the context of a message in a catalogue: the game that it is about. */
const CONTEXT_END = "\u0004";
/** Statuses with which a proxy answers while its server is away. */
const AWAY = new Set([502, 503, 504]);

worker.addEventListener("install", (event) => event.waitUntil(install()));
worker.addEventListener("activate", (event) => event.waitUntil(activate()));
worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") {
    if (isPage(pathname)) event.respondWith(page(request));
  } else if (pathname.startsWith("/static/")) {
    event.respondWith(file(request));
  } else if (pathname.startsWith("/engine/")) {
    event.respondWith(engine(request));
  }
});
worker.addEventListener("message", (event) => {
  const { type } = event.data;
  if (type === "activate") event.waitUntil(worker.skipWaiting());
  if (type === "claim") event.waitUntil(worker.clients.claim());
});
worker.addEventListener("push", (event) => event.waitUntil(show(event.data?.json() ?? null)));
worker.addEventListener("pushsubscriptionchange", (event) => /** @type {ExtendableEvent} */ (event).waitUntil(renewSubscription()));
worker.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(visit(event.notification.data.path));
});

/**
 * Subscribe anew, because the push service has ended the subscription, and send it to the server.
 *
 * Only the page knows who a guest is: it does the same at the guest's next visit.
 */
async function renewSubscription() {
  const socket = new WebSocket(`${location.origin.replace("http", "ws")}/socket`);
  try {
    await new Promise((resolve, reject) => {
      socket.addEventListener("open", resolve);
      socket.addEventListener("close", () => reject(new Error("The server is away.")));
    });
    const welcome = await answerTo(socket, { type: "hello", version, client: "millrace-web" }, "welcome");
    if (!welcome.player.registered) return;
    const { key } = await answerTo(socket, { type: "get_push_key", id: "key" }, "push_key");
    const subscription = await worker.registration.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: key });
    const { endpoint, keys } = subscription.toJSON();
    await answerTo(socket, { type: "subscribe_to_push", id: "subscription", endpoint, key: keys?.p256dh, secret: keys?.auth }, "done");
  } finally {
    socket.close();
  }
}

/**
 * @param {WebSocket} socket
 * @param {object} message
 * @param {string} type
 * @returns {Promise<any>} The server's next message of that type. Rejects if there is none.
 */
function answerTo(socket, message, type) {
  return new Promise((resolve, reject) => {
    socket.addEventListener("message", ({ data }) => {
      const answer = JSON.parse(data);
      if (answer.type === type) resolve(answer);
      if (answer.type === "refused") reject(new Error(answer.message));
    });
    socket.addEventListener("close", () => reject(new Error("The connection was lost.")));
    socket.send(JSON.stringify(message));
  });
}

/** Store all files of this release, or none: a server that was updated meanwhile no longer has them. */
async function install() {
  const cache = await caches.open(CACHE);
  await cache.addAll([shell, ...files]);
}

/** Drop releases older than the previous one, and serve the open pages. */
async function activate() {
  const earlier = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== CACHE);
  // The names are in the order in which they were created.
  await Promise.all(earlier.slice(0, -1).map((name) => caches.delete(name)));
  await worker.clients.claim();
}

/** @param {string} path */
function isPage(path) {
  return pages.includes(path) || (folders.some((folder) => path.startsWith(folder)) && !FILE_NAME.test(path));
}

/** The page from the server, or the kept one if the server is away. @param {Request} request */
async function page(request) {
  const asked = fetch(request).catch(() => null);
  const answer = await Promise.race([asked, later(SLOW_MS)]);
  if (answer !== null && !AWAY.has(answer.status)) return answer;
  const kept = await (await caches.open(CACHE)).match(shell);
  return kept ?? (await asked) ?? Response.error();
}

/** @param {number} ms @returns {Promise<null>} */
function later(ms) {
  return new Promise((resolve) => setTimeout(() => resolve(null), ms));
}

/** A file of any kept release, whose address names it. @param {Request} request */
async function file(request) {
  return (await caches.match(request, { ignoreVary: true })) ?? (LANGUAGE_FILE.test(request.url) ? fetchAndKeep(request) : fetch(request));
}

/** A game's engine, whose address contains its digest. It is kept with this release from the first request on. @param {Request} request */
async function engine(request) {
  const own = await (await caches.open(CACHE)).match(request, { ignoreVary: true });
  return own ?? fetchAndKeep(request).catch(async () => (await caches.match(request, { ignoreVary: true })) ?? Response.error());
}

/** The texts of the reader's language, which are stored when they are first needed. @param {Request} request */
async function fetchAndKeep(request) {
  const answer = await fetch(request);
  if (answer.ok) await (await caches.open(CACHE)).put(request, answer.clone());
  return answer;
}

/** Browsers require that every push message is shown, even an unreadable one. @param {Pushed | null} pushed */
async function show(pushed) {
  const title = pushed === null ? "Millrace" : await titleOf(pushed);
  const { body, path, tag } = pushed ?? { body: "", path: "/", tag: "millrace" };
  await worker.registration.showNotification(title, { body, tag, icon, badge, data: { path } });
}

/** The title in the reader's language, as far as its catalogue is kept. @param {Pushed} pushed */
async function titleOf({ title, message, values, game }) {
  const texts = await translations();
  const text = texts[message];
  if (text === undefined) return title;
  const reason = texts[`${game}${CONTEXT_END}${values.reason}`] ?? texts[values.reason] ?? values.reason;
  return text.replace("{name}", () => values.name).replace("{reason}", () => reason);
}

/** @returns {Promise<{ [message: string]: string }>} */
async function translations() {
  const parts = await Promise.all(catalogue.map(async (address) => (await caches.match(address, { ignoreVary: true }))?.json() ?? {}));
  return Object.assign({}, ...parts);
}

/**
 * Show a path: in an open page, by its script so that nothing is loaded again, or in a new one.
 * @param {string} path
 */
async function visit(path) {
  const windows = await worker.clients.matchAll({ type: "window" });
  const open = windows.find((each) => !new URL(each.url).pathname.startsWith("/embed/"));
  if (open === undefined) return void (await worker.clients.openWindow(path));
  open.postMessage({ type: "visit", path });
  await open.focus();
}
