/** The account in the header: a link to sign in for guests, a menu for signed-in users. */

import { button, element } from "../element.js";
import { languageEvents } from "../language/languages.js";
import { gettext, textsVersion } from "../language/texts.js";
import { toast } from "../toasts.js";
import { syncTabs, signOut, rememberReturnPath } from "./signing_in.js";

/** @import { Connection } from "../connection/connection.js" */

/** @param {Connection} connection */
export function accountMenu(connection) {
  const place = element("div", { class: "account-menu" });
  let shown = "";
  const show = () => {
    const { player } = connection;
    const holder = player?.registered ? player.name : "";
    const key = `${textsVersion()} ${holder} ${connection.restrictions.role ?? ""}`;
    if (place.childElementCount > 0 && key === shown) return;
    shown = key;
    // A new role can arrive while the menu is open.
    const isOpen = place.querySelector("details")?.open ?? false;
    place.replaceChildren(holder === "" ? entryLink() : ownMenu(connection, holder, isOpen));
  };
  syncTabs(connection);
  connection.addEventListener("welcome", show);
  languageEvents.addEventListener("changed", () => connection.player !== null && show());
  connection.addEventListener("restrictions", () => connection.player !== null && show());
  return place;
}

function entryLink() {
  return element("a", { class: "button quiet sign-in-link", href: "/account", onclick: rememberReturnPath }, gettext("Sign in"));
}

/** @param {Connection} connection @param {string} name @param {boolean} isOpen */
function ownMenu(connection, name, isOpen) {
  const out = button(gettext("Sign out"), () => signOut(connection).catch((error) => toast(error.message)), { class: "menu-entry" });
  const menu = element(
    "details",
    { class: "own-menu", open: isOpen },
    element("summary", { class: "button quiet", "aria-label": gettext("Account of {name}", { name }) }, element("span", { class: "own-name" }, name)),
    element(
      "div",
      { class: "menu-entries" },
      element("a", { class: "menu-entry", href: `/player/${encodeURIComponent(name)}` }, gettext("Profile")),
      element("a", { class: "menu-entry", href: "/account" }, gettext("Account")),
      connection.restrictions.role === null ? null : element("a", { class: "menu-entry", href: "/moderation" }, gettext("Moderation")),
      out,
    ),
  );
  menu.addEventListener("click", (event) => {
    if (event.target instanceof HTMLElement && event.target.classList.contains("menu-entry")) menu.open = false;
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    menu.querySelector("summary")?.focus();
  });
  document.addEventListener("click", (event) => {
    if (event.target instanceof Node && !menu.contains(event.target)) menu.open = false;
  });
  return menu;
}
