/** A ladder: its places, whom the reader may challenge and why not, the matches that are being played, the latest changes. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { changeRow, ladderTable, matchRow } from "./ladder_table.js";
import { ladderTitle } from "./ladder_list.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { LadderView, Refused } from "../protocol.js" */

const PAGE_ROWS = 50;

export class LadderPage {
  #unfollow = () => {};
  #stopWaiting = () => {};
  #title = element("h1");
  #own = element("div", { class: "card your-place" });
  #yours = element("section", { class: "card", "aria-label": gettext("Your matches") });
  #places = element("section", { class: "card", "aria-label": gettext("Places") });
  #matches = element("section", { class: "card", "aria-label": gettext("Matches") });
  #changes = element("section", { class: "card", "aria-label": gettext("Latest changes") });

  /** @param {Connection} connection @param {string} id @param {(path: string) => void} navigate */
  constructor(connection, id, navigate) {
    this.connection = connection;
    this.id = id;
    this.navigate = navigate;
    this.element = element(
      "div",
      { class: "tournament-page ladder-page", hidden: true },
      this.#title,
      element("p", { class: "about" }, gettext("You join at the bottom, and challenge players above you. The match begins at once, by correspondence, and is rated. If you win, you take the place above your opponent. If you lose on time, you drop out.")),
      this.#own,
      this.#yours,
      this.#places,
      this.#matches,
      this.#changes,
    );
  }

  open() {
    document.title = `${gettext("Ladder")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#turnTo(null));
  }

  close() {
    this.#stopWaiting();
    this.#unfollow();
  }

  /** @param {number | null} page Null for that with the reader's place. */
  #turnTo(page) {
    this.#unfollow = this.connection.follow({ type: "watch_ladder", ladder: this.id, page }, (message) => this.#receive(message));
  }

  /** @param {LadderView | Refused} message */
  #receive(message) {
    if (message.type === "refused") this.#refuse(message.message);
    else this.#show(message);
  }

  /** @param {LadderView} view */
  #show(view) {
    const { summary, yours = [], matches = [], changes = [] } = view;
    const title = gettext("Ladder: {title}", { title: ladderTitle(summary, this.connection.games) });
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : null;
    this.element.hidden = false;
    document.title = `${title} · Millrace`;
    this.#title.textContent = title;
    this.#showOwn(view);
    this.#fill(this.#yours, gettext("Your matches"), yours.map(matchRow));
    this.#showPlaces(view);
    this.#fill(this.#matches, gettext("Matches"), matches.map(matchRow));
    this.#fill(this.#changes, gettext("Latest changes"), changes.map(changeRow));
    const again = focused ? this.element.querySelector(`[data-focus="${CSS.escape(focused)}"]`) : null;
    if (again instanceof HTMLElement) again.focus();
  }

  /** @param {HTMLElement} section @param {string} title @param {HTMLElement[]} rows */
  #fill(section, title, rows) {
    section.hidden = rows.length === 0;
    section.replaceChildren(element("h2", {}, title), element("ul", { class: "ladder-rows" }, ...rows));
  }

  /** @param {LadderView} view */
  #showOwn({ summary, highest = null }) {
    const { you = null, players } = summary;
    const { player } = this.connection;
    if (you !== null) {
      const reach = you === 1 ? gettext("You are at the top.") : gettext("You can challenge players from place {place} on.", { place: highest ?? 1 });
      const words = `${gettext("Place {place} of {players}", { place: you, players })}. ${reach}`;
      this.#own.replaceChildren(element("p", {}, words), button(gettext("Leave the ladder"), () => this.#ask("leave_ladder"), { "data-focus": "leave" }));
    } else if (!player?.registered) {
      this.#own.replaceChildren(element("p", {}, gettext("You need an account to join."), " ", element("a", { href: "/account" }, gettext("Create an account"))));
    } else if (summary.bots !== player.bot) {
      this.#own.replaceChildren(element("p", {}, summary.bots ? gettext("This ladder is for bots only.") : gettext("This ladder is for people only; bots have their own.")));
    } else {
      this.#own.replaceChildren(element("p", {}, gettext("You are not on this ladder.")), button(gettext("Join"), () => this.#ask("join_ladder"), { class: "button primary", "data-focus": "join" }));
    }
  }

  /** @param {"join_ladder" | "leave_ladder"} type */
  async #ask(type) {
    const done = await answerOrToast(this.connection.ask({ type, ladder: this.id }));
    if (done !== null) this.#turnTo(null);
  }

  /** @param {string} player */
  async #challenge(player) {
    const accepted = await answerOrToast(this.connection.ask({ type: "challenge_on_ladder", ladder: this.id, player }));
    if (accepted !== null) this.navigate(`/match/${accepted.match}`);
  }

  /** @param {LadderView} view */
  #showPlaces(view) {
    const { summary, page, places } = view;
    const pages = Math.max(1, Math.ceil(summary.players / PAGE_ROWS));
    this.#places.replaceChildren(
      element("h2", {}, gettext("Places"), " ", element("span", { class: "count" }, String(summary.players))),
      places.length > 0 ? element("div", { class: "table-frame" }, ladderTable(places, summary.you ?? null, (name) => this.#challenge(name))) : element("p", { class: "empty-note" }, gettext("Nobody has joined yet.")),
      ...(pages > 1 ? [this.#pager(page, pages)] : []),
    );
  }

  /** @param {number} page @param {number} pages */
  #pager(page, pages) {
    return element(
      "nav",
      { class: "pager", "aria-label": gettext("Pages") },
      button(gettext("Previous"), () => this.#turnTo(page - 1), { disabled: page === 0, "data-focus": "previous" }),
      element("span", { class: "pager-place" }, gettext("Page {page} of {pages}", { page: page + 1, pages })),
      button(gettext("Next"), () => this.#turnTo(page + 1), { disabled: page + 1 >= pages, "data-focus": "next" }),
    );
  }

  /** @param {string} words */
  #refuse(words) {
    this.close();
    this.element.hidden = false;
    this.element.className = "notice";
    this.element.replaceChildren(element("p", {}, gettext(words)), element("a", { class: "button", href: "/tournaments" }, gettext("Tournaments")));
  }
}
