/** The badge in the header that shows the connection's status. */

import { element } from "./element.js";
import { languageEvents } from "./language/languages.js";
import { gettext, later } from "./language/texts.js";
import { announce } from "./toasts.js";

/** @import { Connection } from "./connection/connection.js" */

const STATUS_TEXTS = {
  connecting: later("Connecting…"),
  online: later("Connected"),
  offline: later("Offline – reconnecting…"),
  outdated: later("New version: reload this page"),
  closed: "–", // the page never closes its own
};

/** @param {Connection} connection */
export function connectionBadge(connection) {
  const text = element("span", { class: "badge-text" });
  const badge = element("div", { class: "connection-badge" }, element("span", { class: "lamp" }), text);
  let status = "";
  const show = () => {
    const { roundTrip_ms } = connection;
    text.textContent = gettext(STATUS_TEXTS[connection.status]);
    badge.dataset.status = connection.status;
    badge.title = connection.status === "online" && roundTrip_ms !== null ? gettext("Round trip {time} ms", { time: roundTrip_ms }) : "";
    if (status !== "" && status !== "connecting" && status !== connection.status) announce(gettext(STATUS_TEXTS[connection.status]));
    status = connection.status;
  };
  connection.addEventListener("status", show);
  languageEvents.addEventListener("changed", show);
  show();
  return badge;
}
