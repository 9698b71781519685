/**
 * The reader's notifications, and which of them were read.
 *
 * No DOM, except to check which match is on the screen: notifications about it count as read.
 */

/** @import { Connection } from "../connection/connection.js" */
/** @import { InboxMessage } from "../connection/questions.js" */
/** @import { Notification } from "../protocol.js" */

/** Fires `change` when the list changes, and `notification_added` with a new one about something not on the screen. */
export class Inbox extends EventTarget {
  /** Newest first. @type {Notification[]} */
  notices = [];

  /** @param {Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    connection.follow({ type: "watch_notifications" }, (message) => this.#heard(message));
    document.addEventListener("visibilitychange", () => this.looked());
  }

  get unread() {
    return this.notices.filter(({ read }) => !read).length;
  }

  /** The reader opened a page: mark notifications about its match as read. */
  looked() {
    const seen = this.notices.find((notice) => !notice.read && isOnScreen(notice));
    if (seen !== undefined) this.#read(seen.subject);
  }

  /** Mark all as read. */
  readAll() {
    if (this.unread > 0) this.#read(null);
  }

  /** @param {string | null} subject */
  #read(subject) {
    // A lost or refused request is harmless: the next visit repeats it.
    this.connection.ask({ type: "mark_notifications_read", subject }).catch(() => undefined);
  }

  /** @param {InboxMessage} message */
  #heard(message) {
    if (message.type === "notifications") this.notices = message.notifications;
    else this.#add(message.notification);
    this.dispatchEvent(new Event("change"));
    this.looked();
  }

  /** @param {Notification} notice */
  #add(notice) {
    const isOther = (/** @type {Notification} */ other) => other.kind !== notice.kind || other.subject !== notice.subject;
    this.notices = [notice, ...this.notices.filter(isOther)];
    if (!isOnScreen(notice)) this.dispatchEvent(new CustomEvent("notification_added", { detail: notice }));
  }
}

/** @param {Notification} notice */
function isOnScreen({ match }) {
  return match !== null && !document.hidden && location.pathname === `/match/${match}`;
}
