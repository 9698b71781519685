/**
 * The entry: opens the connection, and shows the page that the address names, without loading anew.
 */

import { accountMenu } from "./account/account_menu.js";
import { AccountPage } from "./account/account_page.js";
import { drawFillings } from "./board/pieces.js";
import { Connection } from "./connection.js";
import { connectionBadge } from "./connection_badge.js";
import { MatchPage } from "./match/match_page.js";
import { Banner } from "./meeting/banner.js";
import { Search } from "./meeting/search.js";
import { LeadersPage } from "./ratings/leaders_page.js";
import { ProfilePage } from "./ratings/profile_page.js";
import { StartPage } from "./start/start_page.js";
import { restoreTheme, themeButton } from "./theme.js";

const MATCH_PATH = /^\/match\/([^/]+)\/?$/;
const PLAYER_PATH = /^\/player\/([^/]+)\/?$/;

restoreTheme();
const socketScheme = location.protocol === "https:" ? "wss" : "ws";
const connection = new Connection(`${socketScheme}://${location.host}/socket`);
const search = new Search(connection);
const banner = new Banner(connection, search, navigate);
const main = /** @type {HTMLElement} */ (document.getElementById("page"));
/** @type {StartPage | MatchPage | AccountPage | LeadersPage | ProfilePage | null} */
let page = null;

document.getElementById("header-tools")?.append(connectionBadge(connection), accountMenu(connection), themeButton());
main.before(banner.element);
document.body.append(drawFillings());
document.addEventListener("click", followLink);
addEventListener("popstate", showPage);
connection.open();
showPage();

function showPage() {
  page?.close();
  const { Page, id } = pageAt(location.pathname);
  page = new Page(connection, id, navigate, search);
  main.replaceChildren(page.element);
  page.open();
  banner.turned();
}

/**
 * @param {string} path
 * @returns What the address names: the class of its page, and the match or player there.
 */
function pageAt(path) {
  const match = MATCH_PATH.exec(path)?.[1];
  const player = PLAYER_PATH.exec(path)?.[1];
  if (match !== undefined) return { Page: MatchPage, id: match };
  if (player !== undefined) return { Page: ProfilePage, id: player };
  if (path === "/leaders") return { Page: LeadersPage, id: "" };
  return { Page: path === "/account" ? AccountPage : StartPage, id: "" };
}

/** @param {string} path */
function navigate(path) {
  history.pushState(null, "", path);
  showPage();
  scrollTo(0, 0);
  main.focus({ preventScroll: true });
}

/**
 * Links within the site are followed without loading the page anew.
 * @param {MouseEvent} event
 */
function followLink(event) {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlain || link.target !== "" || link.origin !== location.origin || link.hash !== "") return;
  event.preventDefault();
  navigate(link.pathname);
}
