/**
 * The badge in the header that says how the connection is.
 */

import { element } from "./element.js";
import { announce } from "./toasts.js";

/** @import { Connection } from "./connection/connection.js" */

const WORDS = {
  connecting: "Connecting…",
  online: "Connected",
  offline: "Offline – reconnecting…",
  outdated: "This page is out of date: reload it",
};

/**
 * @param {Connection} connection
 * @returns {HTMLElement}
 */
export function connectionBadge(connection) {
  const text = element("span", { class: "badge-text" });
  const badge = element("div", { class: "connection-badge" }, element("span", { class: "lamp" }), text);
  let status = "";
  const show = () => {
    const { roundTrip_ms } = connection;
    text.textContent = WORDS[connection.status];
    badge.dataset.status = connection.status;
    badge.title = connection.status === "online" && roundTrip_ms !== null ? `Round trip ${roundTrip_ms} ms` : "";
    if (status !== "" && status !== "connecting" && status !== connection.status) announce(WORDS[connection.status]);
    status = connection.status;
  };
  connection.addEventListener("status", show);
  show();
  return badge;
}
