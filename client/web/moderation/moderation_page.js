/** The moderation page: open reports, players and the log. Visitors without a role see a notice. */

import { element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { LogView } from "./log_view.js";
import { PlayersView } from "./players_view.js";
import { ReportsView } from "./reports_view.js";
import { SiteView } from "./site_view.js";

/** @import { Connection } from "../connection/connection.js" */

/** @type {[view: string, title: string][]} */
const VIEWS = [
  ["reports", later("Reports")],
  ["players", later("Players")],
  ["log", later("Log")],
];
/** For admins. @type {[view: string, title: string]} */
const SITE_VIEW = ["site", later("Site")];

export class ModerationPage {
  #query = new URLSearchParams(location.search);
  /** @type {ReportsView | PlayersView | LogView | SiteView | null} */
  #view = null;

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} _navigate */
  constructor(connection, _id, _navigate) {
    this.connection = connection;
    this.element = element("div", { class: "ratings-page moderation-page" });
    this.onRestrictions = () => this.#show();
  }

  open() {
    document.title = `${gettext("Moderation")} · Millrace`;
    this.connection.addEventListener("restrictions", this.onRestrictions);
    this.#show();
  }

  close() {
    this.connection.removeEventListener("restrictions", this.onRestrictions);
    this.#view?.close();
  }

  #show() {
    const mayLook = this.connection.restrictions.role !== null;
    if (mayLook === (this.#view !== null)) {
      if (!mayLook) this.element.replaceChildren(forModerators());
      return;
    }
    this.#view?.close();
    this.#view = mayLook ? this.#newView() : null;
    this.element.replaceChildren(...(this.#view === null ? [forModerators()] : [element("h1", {}, gettext("Moderation")), this.#tabs(), this.#view.element]));
    this.#view?.open();
  }

  get #name() {
    return this.#query.get("view") ?? "reports";
  }

  #newView() {
    if (this.#name === "players") return new PlayersView(this.connection, this.#query.get("name") ?? "");
    if (this.#name === "site") return new SiteView(this.connection);
    return this.#name === "log" ? new LogView(this.connection) : new ReportsView(this.connection);
  }

  #tabs() {
    const views = this.connection.restrictions.role === "admin" ? [...VIEWS, SITE_VIEW] : VIEWS;
    const links = views.map(([view, title]) => {
      const href = view === "reports" ? "/moderation" : `/moderation?view=${view}`;
      return element("a", { class: "button quiet", href, "aria-current": view === this.#name ? "page" : undefined }, title);
    });
    return element("nav", { class: "moderation-tabs", "aria-label": gettext("Moderation") }, ...links);
  }
}

function forModerators() {
  return element("div", { class: "notice" }, element("h1", {}, gettext("Moderators only")), element("p", {}, gettext("Only moderators can open this page.")), element("a", { class: "button", href: "/" }, gettext("Go to the start page")));
}
