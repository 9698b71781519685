/** The entry point: opens the connection and shows the page of the address, without reloading. */

import { accountMenu } from "./account/account_menu.js";
import { drawFillings } from "./board/pieces.js";
import { Connection } from "./connection/connection.js";
import { connectionBadge } from "./connection_badge.js";
import { button, element } from "./element.js";
import { gettext } from "./language/texts.js";
import { Bell } from "./notifications/bell.js";
import { DesktopNotifications } from "./notifications/desktop_notifications.js";
import { Inbox } from "./notifications/inbox.js";
import { countInTitle } from "./notifications/title_count.js";
import { Banner } from "./lobby/banner.js";
import { PairingSearch } from "./lobby/pairing_search.js";
import { languageEvents, openLanguage, wholeCatalogue } from "./language/languages.js";
import { laterStyles } from "./later_styles.js";
import { Notices } from "./notices.js";
import { DeviceStore } from "./offline/device_store.js";
import { OfflineMemory } from "./offline/offline_memory.js";
import { fetchWhenIdle } from "./offline/provision_time.js";
import { registerWorker } from "./offline/registration.js";
import { applyPreferences, hasOwnLook, preferenceEvents, preferences } from "./preferences.js";
import { pageAt } from "./pages.js";
import { keepWithAccount } from "./settings/account_settings.js";
import { listenForShortcuts } from "./shortcuts/shortcuts.js";
import { markCurrent, openSiteMenu } from "./site_menu.js";
import { themeButton } from "./theme.js";
import { clearToasts } from "./toasts.js";

/** @import { Page } from "./pages.js" */

applyPreferences();
listenForShortcuts();
const socketScheme = location.protocol === "https:" ? "wss" : "ws";
const connection = new Connection(`${socketScheme}://${location.host}/socket`);
const memory = new OfflineMemory(connection, new DeviceStore());
connection.memory = memory;
const search = new PairingSearch(connection);
const inbox = new Inbox(connection);
/** @type {Banner} */
let banner;
const main = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {Page | null} */
let page = null;
/** The address of the shown page, without its hash. */
let shown = "";
/** Counts page changes, so that a page that loads too late is not shown. */
let turns = 0;

document.body.append(drawFillings());
for (const type of ["changed", "loaded"]) preferenceEvents.addEventListener(type, loadLook);
void loadLook();
document.addEventListener("click", followLink);
addEventListener("popstate", turnTo);
keepWithAccount(connection);
registerWorker(connection, navigate);
fetchWhenIdle(connection, memory);
connection.open();
openLanguage("main").then(show);
// Before this, `old_browser.js` takes the browser for too old.
document.documentElement.dataset.started = "";

/** Show the header and the page, in the reader's language. */
function show() {
  banner = new Banner(connection, search, navigate);
  const desktop = new DesktopNotifications(connection, inbox, navigate);
  openSiteMenu();
  document.getElementById("header-tools")?.append(connectionBadge(connection), new Bell(connection, inbox).element, accountMenu(connection), themeButton());
  banner.element.append(desktop.element);
  main.before(new Notices(connection, main).element, banner.element);
  countInTitle(inbox);
  languageEvents.addEventListener("changed", () => showPage());
  showPage();
}

/** Load what the chosen boards and men are drawn with, unless they are those that everyone sees first. */
async function loadLook() {
  const { board, men } = preferences();
  // The service worker has kept the styles since the first visit.
  if (hasOwnLook() || navigator.serviceWorker?.controller) void laterStyles().catch(reportMissing);
  if ([board, men].includes("pixel")) (await import("./board/pixel_art.js")).drawSprites();
}

/** The reader went back or forward; the page itself handles changes of the hash. */
function turnTo() {
  if (location.pathname + location.search !== shown) showPage();
}

/** Close the shown page and show that of the address, once it is loaded. */
async function showPage() {
  page?.close();
  page = null;
  shown = location.pathname + location.search;
  markCurrent(location.pathname);
  const turn = (turns += 1);
  const { load, id, isFirst } = pageAt(location.pathname);
  // The closed page is still visible but must not be used.
  main.inert = true;
  const [Page] = await Promise.all([load(), ...(isFirst ? [] : [laterStyles(), wholeCatalogue()])]).catch(reportMissing);
  if (turn !== turns) return;
  main.inert = false;
  if (Page === null) return showMissing();
  clearToasts();
  page = new Page(connection, id, navigate, search);
  main.replaceChildren(page.element);
  page.open();
  banner.turned();
  inbox.looked();
}

/** @param {unknown} error */
function reportMissing(error) {
  console.error(error);
  return [null];
}

/** The page could not be loaded: the link is broken, or a new release of the server has other files. */
function showMissing() {
  if (turns > 1 && connection.status === "online") location.reload();
  const again = button(gettext("Try again"), () => location.reload(), { class: "button primary" });
  main.replaceChildren(element("p", { class: "notice", role: "alert" }, gettext("This page could not be loaded. Check your connection."), " ", again));
}

/** @param {string} path */
async function navigate(path) {
  history.pushState(null, "", path);
  await showPage();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/** Follow links within the site without reloading. @param {MouseEvent} event */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.target !== "" || link.origin !== location.origin) return;
  const isDownload = link.hasAttribute("download");
  const isPart = link.hash !== "" && link.pathname + link.search === location.pathname + location.search;
  if (isDownload || isPart) return;
  event.preventDefault();
  navigate(link.pathname + link.search + link.hash);
}
