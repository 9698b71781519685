/** The studies that the reader may edit. */

import { dateText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { StudySummary } from "../protocol.js" */

export class StudiesPage {
  #note = element("p", { class: "note" });
  #list = element("ul", { class: "study-list", "aria-label": gettext("Your studies") });
  #stopWaiting = () => {};
  element = element(
    "div",
    { class: "ratings-page studies-page" },
    element("h1", {}, gettext("Your studies")),
    this.#note,
    element("section", { class: "card" }, this.#list),
    element("p", {}, element("a", { class: "button primary", href: "/analysis" }, gettext("New study"))),
  );

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
  }

  open() {
    document.title = `${gettext("Your studies")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#show());
  }

  close() {
    this.#stopWaiting();
  }

  async #show() {
    const isGuest = !this.connection.player?.registered;
    this.#note.replaceChildren(
      gettext("Lines with variations, comments and arrows, from any position. Anyone with the link can read a study."),
      ...(isGuest ? [" ", gettext("With an account you keep your studies and can write them with others."), " ", element("a", { href: "/account" }, gettext("Create an account"))] : []),
    );
    const told = await answerOrToast(this.connection.ask({ type: "list_studies" }));
    if (told === null) return;
    const nothing = element("li", { class: "note" }, gettext("No studies yet. Open the analysis board and save your lines as a study."));
    this.#list.replaceChildren(...(told.studies.length === 0 ? [nothing] : told.studies.map((each) => this.#line(each))));
  }

  /** @param {StudySummary} summary */
  #line({ study, title, game, updated_ms, is_own = true, chapters = 1 }) {
    const name = title || this.connection.games.find((each) => each.name === game)?.title || game;
    const facts = [dateText(updated_ms), ...(chapters === 1 ? [] : [ngettext("{count} chapter", "{count} chapters", chapters)])];
    const label = is_own ? gettext("Delete {title}", { title: name }) : gettext("Leave {title}", { title: name });
    return element(
      "li",
      {},
      element("a", { href: `/study/${study}` }, name),
      element("span", { class: "note" }, facts.join(" · ")),
      button(is_own ? gettext("Delete") : gettext("Leave"), () => this.#drop(study, is_own), { class: "button quiet small", "aria-label": label }),
    );
  }

  /** @param {string} study @param {boolean} isOwn */
  async #drop(study, isOwn) {
    const player = this.connection.player?.name ?? "";
    const dropping = isOwn ? this.connection.ask({ type: "delete_study", study }) : this.connection.ask({ type: "share_study", study, player, on: false });
    if ((await answerOrToast(dropping)) !== null) await this.#show();
  }
}
