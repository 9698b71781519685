/**
 * The notices above every page: what the operators announce, a server that is away or interrupted, blocked storage.
 *
 * They are part of the page and move it down, so that they cover none of it.
 */

import { button, element } from "./element.js";
import { icon } from "./icons.js";
import { gettext } from "./language/texts.js";
import { languageEvents } from "./language/languages.js";
import { isKept, recall, remember } from "./storage.js";
import { toast } from "./toasts.js";

/** @import { Connection } from "./connection/connection.js" */
/** @import { Interruption } from "./protocol.js" */

/** The announcement that the reader closed. */
const CLOSED_KEY = "millrace.closed-announcement";
/** Delay between losing the connection and the notice that says so. */
const AWAY_AFTER_MS = 2_000;
/** Browsers know no longer timers. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class Notices {
  #away = element("div");
  /** @type {number | undefined} */
  #awayTimer = undefined;
  #interruption = element("div", { role: "status" });
  #announcement = element("div", { role: "status" });
  #storage = element("div", { role: "status" });
  element = element("div", { class: "notices", role: "region", "aria-label": gettext("Notices") }, this.#announcement, this.#away, this.#interruption, this.#storage);

  /** @param {Connection} connection @param {HTMLElement} main The page, which gets the focus of a closed notice. */
  constructor(connection, main) {
    this.connection = connection;
    this.main = main;
    connection.addEventListener("welcome", () => this.#interruption.replaceChildren());
    connection.addEventListener("welcome", () => this.#showStorage());
    connection.addEventListener("interruption", (event) => this.#showInterruption(/** @type {CustomEvent} */ (event).detail));
    connection.addEventListener("announcement", () => this.#showAnnouncement());
    connection.addEventListener("status", () => this.#showAway());
    languageEvents.addEventListener("changed", () => (this.#showAnnouncement(), this.#showStorage()));
    // Boards leave room for the notices.
    new ResizeObserver(() => document.documentElement.style.setProperty("--notices", `${this.element.offsetHeight}px`)).observe(this.element);
  }

  /** Say that the server is away; the badge announces it to screen readers. */
  #showAway() {
    if (this.connection.status !== "offline") {
      clearTimeout(this.#awayTimer);
      this.#awayTimer = undefined;
      this.#away.replaceChildren();
    } else {
      this.#awayTimer ??= setTimeout(() => this.#announceAway(), AWAY_AFTER_MS);
    }
  }

  /** Say what works without the server: what this device keeps. */
  async #announceAway() {
    const { memory, games } = this.connection;
    const { taught = [], playable = [] } = (await memory?.contents(games)) ?? {};
    if (this.connection.status === "offline") this.#away.replaceChildren(this.#awayNotice(taught.length > 0, playable.length > 0));
  }

  /** @param {boolean} hasLessons @param {boolean} hasBots */
  #awayNotice(hasLessons, hasBots) {
    const sentences = [
      gettext("The server cannot be reached. This page reconnects automatically, and your matches are safe."),
      hasLessons ? gettext("Lessons, saved puzzles and your finished matches work offline.") : "",
      hasBots ? gettext("You can play bots up to level 7 on this device.") : "",
    ];
    return element(
      "div",
      { class: "banner away" },
      noticeText(sentences.filter((sentence) => sentence !== "").join(" ")),
      element(
        "div",
        { class: "banner-buttons" },
        button(gettext("Try now"), () => this.connection.hurry()),
        element("a", { class: "button quiet", href: "/offline" }, gettext("What works offline")),
      ),
    );
  }

  /** @param {Interruption} interruption */
  #showInterruption({ is_over, explanation }) {
    this.#interruption.replaceChildren(...(is_over ? [] : [element("div", { class: "banner" }, noticeText(gettext(explanation)))]));
    if (is_over) toast(gettext(explanation));
  }

  /** Warn a guest whose browser forgets who they are. */
  #showStorage() {
    const isForgotten = this.connection.player?.registered === false && !isKept();
    const text = gettext("Your browser does not let this site store anything. As a guest, you lose your seats when you reload or close this page.");
    this.#storage.replaceChildren(...(isForgotten ? [element("div", { class: "banner" }, noticeText(text))] : []));
  }

  /** Show what the operators announce, until it ends or the reader closes it. */
  #showAnnouncement() {
    const { text, until_ms } = this.connection.announcement;
    const key = `${until_ms} ${text}`;
    const close = () => {
      remember(CLOSED_KEY, key);
      notice.remove();
      this.main.focus({ preventScroll: true });
    };
    const closing = button(icon("close"), close, { class: "button quiet icon-button notice-close", "aria-label": gettext("Close the announcement") });
    const notice = element("div", { class: "banner" }, noticeText(text), closing);
    this.#announcement.replaceChildren(...(text === "" || recall(CLOSED_KEY) === key ? [] : [notice]));
    if (until_ms !== null) setTimeout(() => notice.remove(), Math.min(until_ms - this.connection.now_ms(), LONGEST_TIMER_MS));
  }
}

/** A text that can be scrolled, also with keys, where there is no room for all of it. @param {string} text */
function noticeText(text) {
  return element("p", { class: "notice-text", tabindex: 0 }, text);
}
