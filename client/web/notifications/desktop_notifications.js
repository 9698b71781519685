/**
 * Browser notifications while the page is in the background or closed, offered when the reader starts to wait for
 * something.
 *
 * The page requests the browser's permission only when the reader accepts the offer, and never asks again after a no.
 */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { toast } from "../toasts.js";
import { recall, remember } from "../storage.js";
import { gameTitle, notificationPath, notificationText } from "./notification_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command } from "../connection/questions.js" */
/** @import { Notification as InboxNotification } from "../protocol.js" */
/** @import { Inbox } from "./inbox.js" */

const KEY = "millrace.desktop";
const PUSH_KEY = "millrace.push";

/** What is needed once notifications are on. */
const push = () => import("./push_subscription.js");

/** Announces by `change` that `arePushed` has changed. */
export const pushChanges = new EventTarget();

/** @returns {"on" | "off" | "unasked" | "blocked"} Whether browser notifications are on. */
export function desktopState() {
  if (!("Notification" in window) || Notification.permission === "denied") return "blocked";
  const answer = recall(KEY);
  if (answer === "no") return "off";
  return answer === "yes" && Notification.permission === "granted" ? "on" : "unasked";
}

/**
 * Request the browser's permission, and subscribe to notifications while no page is open.
 * @param {Connection} connection
 * @returns {Promise<boolean>} Whether it was granted.
 */
export async function turnOn(connection) {
  const isGranted = (await Notification.requestPermission()) === "granted";
  remember(KEY, isGranted ? "yes" : "no");
  if (isGranted) await keepSubscribed(connection);
  return isGranted;
}

/**
 * Subscribe, or renew the subscription, and note whether notifications arrive while no page is open.
 * @param {Connection} connection
 */
async function keepSubscribed(connection) {
  const arrive = await (await push()).subscribe(connection);
  if (arrive === null) return;
  const arrived = arePushed();
  remember(PUSH_KEY, arrive ? "yes" : "no");
  if (arrived && !arrive) toast(gettext("Your browser’s push service has ended your subscription. Notifications appear only while a page is open."));
  if (arrived !== arrive) pushChanges.dispatchEvent(new Event("change"));
}

/** @param {Connection} connection */
export async function turnOff(connection) {
  remember(KEY, "no");
  await (await push()).unsubscribe(connection);
}

/** Whether notifications also arrive while no page is open. */
export function arePushed() {
  return recall(PUSH_KEY) === "yes";
}

export class DesktopNotifications {
  /** The offer, one of the banners. */
  element = element("div", { class: "desktop-notification-offer" });

  /** @param {Connection} connection @param {Inbox} inbox @param {(path: string) => void} navigate */
  constructor(connection, inbox, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    inbox.addEventListener("notification_added", (event) => this.#show(/** @type {CustomEvent<InboxNotification>} */ (event).detail));
    // The reader or the server's key may have changed.
    connection.addEventListener("welcome", () => {
      if (desktopState() === "on" && connection.status === "online") keepSubscribed(connection);
    });
    connection.addEventListener("commanded", (event) => this.#commanded(/** @type {CustomEvent<Command>} */ (event).detail));
  }

  /** @param {Command} command A command that took effect. */
  #commanded(command) {
    const isWaitedFor = command.type === "create" && (command.clock?.renews === true || command.invited !== undefined);
    if (isWaitedFor && desktopState() === "unasked") this.#offer();
  }

  #offer() {
    const answer = async () => {
      this.element.replaceChildren();
      toast((await turnOn(this.connection)) ? gettext("Browser notifications are on.") : gettext("Your browser blocked notifications. They appear only on this page."));
    };
    const refuse = () => {
      turnOff(this.connection);
      this.element.replaceChildren();
    };
    const words = gettext("The answer may take a while. Do you want a browser notification when it arrives or when it is your turn?");
    this.element.replaceChildren(
      element(
        "div",
        { class: "banner", role: "status" },
        element("p", {}, words),
        element("div", { class: "banner-buttons" }, button(gettext("Notify me"), answer, { class: "button primary" }), button(gettext("No, thanks"), refuse)),
      ),
    );
  }

  /** @param {InboxNotification} notice */
  async #show(notice) {
    if (!document.hidden || desktopState() !== "on") return;
    const options = {
      body: gameTitle(notice, this.connection.games),
      icon: new URL("../icon.svg", import.meta.url).href,
      // The same notification in another tab, or a later one about the same subject, replaces this one.
      tag: `millrace-${notice.kind}-${notice.subject}`,
    };
    (await push()).showNotification(notificationText(notice), options, notificationPath(notice), this.navigate);
  }
}
