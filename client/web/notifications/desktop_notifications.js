/**
 * Notices outside the page, by the browser itself: offered once there is something to wait for, shown while the page is
 * in the background.
 *
 * The browser is never asked for its permission but by a press on the offer, and whoever has said no is not asked again.
 */

import { button, element } from "../element.js";
import { toast } from "../toasts.js";
import { recall, remember } from "../storage.js";
import { gameTitle, notificationPath, notificationText } from "./notification_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { Notification as InboxNotification } from "../protocol.js" */
/** @import { Inbox } from "./inbox.js" */

const KEY = "millrace.desktop";

/** @returns {"on" | "off" | "open" | "barred"} Whether notices are shown; open: it was not said; barred: the browser does not. */
export function desktopState() {
  if (!("Notification" in window) || Notification.permission === "denied") return "barred";
  const answer = recall(KEY);
  if (answer === "no") return "off";
  return answer === "yes" && Notification.permission === "granted" ? "on" : "open";
}

/** Ask the browser, which asks the reader. @returns {Promise<boolean>} Whether notices will be shown. */
export async function turnOn() {
  const isGranted = (await Notification.requestPermission()) === "granted";
  remember(KEY, isGranted ? "yes" : "no");
  return isGranted;
}

export function turnOff() {
  remember(KEY, "no");
}

export class DesktopNotifications {
  /** The offer, which stands among the banners. */
  element = element("div", { class: "desktop-notification-offer" });

  /**
   * @param {Connection} connection
   * @param {Inbox} inbox
   * @param {(path: string) => void} navigate
   */
  constructor(connection, inbox, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    inbox.addEventListener("notification_added", (event) => this.#show(/** @type {CustomEvent<InboxNotification>} */ (event).detail));
    connection.addEventListener("commanded", (event) => this.#commanded(/** @type {CustomEvent<Command>} */ (event).detail));
  }

  /** @param {Command} command That has had its effect. */
  #commanded(command) {
    const isWaitedFor = command.type === "create" && (command.clock?.renews === true || command.invited !== undefined);
    if (isWaitedFor && desktopState() === "open") this.#offer();
  }

  #offer() {
    const answer = async () => {
      this.element.replaceChildren();
      toast((await turnOn()) ? "You will be told, also while this page is in the background." : "You will not be told outside this page.");
    };
    const refuse = () => {
      turnOff();
      this.element.replaceChildren();
    };
    const words = "The answer may take a while. Shall this browser tell you when it comes, or when it is your turn?";
    this.element.replaceChildren(
      element(
        "div",
        { class: "banner", role: "status" },
        element("p", {}, words),
        element("div", { class: "banner-buttons" }, button("Yes, tell me", answer, { class: "button primary" }), button("No, thanks", refuse)),
      ),
    );
  }

  /** @param {InboxNotification} notice */
  #show(notice) {
    if (!document.hidden || desktopState() !== "on") return;
    const shown = new Notification(notificationText(notice), {
      body: gameTitle(notice, this.connection.games),
      icon: new URL("../icon.svg", import.meta.url).href,
      // The same notice in another tab, or a later one about the same, takes the place of this one.
      tag: `millrace-${notice.kind}-${notice.subject}`,
    });
    shown.addEventListener("click", () => {
      window.focus();
      this.navigate(notificationPath(notice));
      shown.close();
    });
  }
}
