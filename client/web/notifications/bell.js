/** The bell in the header: the number of new notifications, and their list; each is a link. */

import { agoText } from "../dates.js";
import { element } from "../element.js";
import { icon } from "../icons.js";
import { languageEvents } from "../language/languages.js";
import { gettext, ngettext } from "../language/texts.js";
import { announce } from "../toasts.js";
import { gameTitle, notificationPath, notificationText } from "./notification_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Notification } from "../protocol.js" */
/** @import { Inbox } from "./inbox.js" */

export class Bell {
  /** Keys of notifications that were unread when the list was opened or arrived since. @type {Set<string>} */
  #fresh = new Set();
  #count = element("span", { class: "bell-count", "aria-hidden": "true" });
  #list = element("ul", { class: "bell-list" });
  #empty = element("p", { class: "note" });
  #summary = element("summary", { class: "button quiet icon-button" }, icon("bell"), this.#count);
  #settings = element("a", { href: "/account" });
  #heading = element("h2");

  /** @param {Connection} connection @param {Inbox} inbox */
  constructor(connection, inbox) {
    this.connection = connection;
    this.inbox = inbox;
    this.element = element(
      "details",
      { class: "bell" },
      this.#summary,
      element("div", { class: "bell-panel" }, element("div", { class: "bell-head" }, this.#heading, this.#settings), this.#empty, this.#list),
    );
    inbox.addEventListener("change", () => this.#changed());
    languageEvents.addEventListener("changed", () => this.#changed());
    inbox.addEventListener("notification_added", (event) => announceNotification(/** @type {CustomEvent<Notification>} */ (event).detail));
    this.element.addEventListener("toggle", () => this.#toggled());
    this.element.addEventListener("click", (event) => this.#clicked(event));
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    document.addEventListener("click", (event) => {
      if (event.target instanceof Node && !this.element.contains(event.target)) this.element.open = false;
    });
    this.#changed();
  }

  #changed() {
    this.#heading.textContent = gettext("Notifications");
    this.#settings.textContent = gettext("Settings");
    this.#empty.textContent = gettext("No notifications. Your turns, challenges and other news appear here.");
    const { unread } = this.inbox;
    this.#count.textContent = unread === 0 ? "" : unread > 99 ? "99+" : String(unread);
    this.#summary.setAttribute("aria-label", unread === 0 ? gettext("Notifications") : ngettext("Notifications, {count} new", "Notifications, {count} new", unread));
    this.#draw();
  }

  #toggled() {
    this.#draw();
    if (this.element.open) this.inbox.readAll();
  }

  #draw() {
    // Entries keep their marks while the list is open.
    if (!this.element.open) this.#fresh.clear();
    for (const notice of this.inbox.notices) if (!notice.read) this.#fresh.add(keyOf(notice));
    this.#settings.hidden = this.connection.player?.registered !== true;
    this.#empty.hidden = this.inbox.notices.length > 0;
    const held = this.#list.querySelector(":focus")?.getAttribute("data-key");
    this.#list.replaceChildren(...this.inbox.notices.map((notice) => this.#entry(notice)));
    if (held === undefined) return;
    /** @type {HTMLElement | null} */
    const again = this.#list.querySelector(`[data-key="${held}"]`);
    (again ?? this.#summary).focus();
  }

  /** @param {Notification} notice */
  #entry(notice) {
    const isFresh = this.#fresh.has(keyOf(notice));
    const facts = [gameTitle(notice, this.connection.games), agoText(notice.at_ms, this.connection.now_ms())];
    return element(
      "li",
      {},
      element(
        "a",
        { class: "bell-entry", href: notificationPath(notice), "data-key": keyOf(notice), "data-kind": notice.kind, "data-read": String(!isFresh) },
        element("span", { class: "bell-text" }, isFresh ? element("span", { class: "visually-hidden" }, gettext("New:"), " ") : null, notificationText(notice)),
        element("span", { class: "bell-facts" }, facts.filter((fact) => fact !== "").join(" · ")),
      ),
    );
  }

  /** @param {MouseEvent} event */
  #clicked(event) {
    if (event.target instanceof Element && event.target.closest("a") !== null) this.element.open = false;
  }

  /** @param {KeyboardEvent} event */
  #pressed(event) {
    if (event.key !== "Escape" || !this.element.open) return;
    this.element.open = false;
    this.#summary.focus();
  }
}

/** Announce a notification, except a challenge: its banner is announced, to guests too. @param {Notification} notice */
function announceNotification(notice) {
  if (notice.kind !== "challenged") announce(`${notificationText(notice)}.`);
}

/** @param {Notification} notice */
function keyOf({ kind, subject, at_ms }) {
  return `${kind} ${subject} ${at_ms}`;
}
