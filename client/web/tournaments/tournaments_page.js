/** The calendar: tournaments that are running, those to come by day, and the latest that are over; a form for a new one. */

import { element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { shownName } from "../players/shown_name.js";
import { answerOrToast } from "../toasts.js";
import { dayOf, dayText, hourText } from "./calendar_days.js";
import { ladderSection } from "./ladder_list.js";
import { TournamentForm } from "./tournament_form.js";
import { factsText, timeText } from "./tournament_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { TournamentSummary, Tournaments } from "../protocol.js" */

const TICK_MS = 1_000;
const HOUR_MS = 3_600_000;

export class TournamentsPage {
  /** @type {TournamentSummary[]} */
  #tournaments = [];
  #timer = 0;
  #unfollow = () => {};
  #stopWaiting = () => {};
  #lists = element("div", { class: "calendar" });
  #ladders = element("div");
  #form = element("div");

  /** @param {Connection} connection @param {string} _id @param {(path: string) => void} navigate */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    this.element = element(
      "div",
      { class: "tournaments-page", hidden: true },
      element("h1", {}, gettext("Tournaments")),
      element("p", { class: "about" }, gettext("In an arena you are paired again and again until the time is over. A win has two points, a draw one; after two wins in a row everything counts double. The other tournaments are played in rounds.")),
      this.#form,
      this.#lists,
      this.#ladders,
    );
  }

  open() {
    document.title = `${gettext("Tournaments")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#begin());
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.#timer);
    this.#stopWaiting();
    this.#unfollow();
  }

  #begin() {
    this.element.hidden = false;
    const needsAccount = element("p", { class: "note" }, gettext("You need an account to create a tournament."), " ", element("a", { href: "/account" }, gettext("Create an account")));
    this.#form.replaceChildren(this.connection.player?.registered ? new TournamentForm(this.connection, this.navigate).element : needsAccount);
    this.#showLadders();
    this.#unfollow = this.connection.follow({ type: "watch_tournaments" }, (list) => this.#show(list));
  }

  async #showLadders() {
    const found = await answerOrToast(this.connection.ask({ type: "get_ladders" }));
    if (found !== null) this.#ladders.replaceChildren(...ladderSection(found.ladders, this.connection.games, gettext("Ladders")));
  }

  /** @param {Tournaments} list */
  #show({ tournaments }) {
    this.#tournaments = tournaments;
    const focused = this.#lists.contains(document.activeElement) ? document.activeElement?.getAttribute("href") : null;
    const nothing = tournaments.length === 0 ? [element("p", { class: "empty-note" }, gettext("There are no tournaments yet."))] : [];
    const [running, planned, over] = ["running", "planned", "over"].map((status) => tournaments.filter((each) => each.status === status));
    this.#lists.replaceChildren(...this.#section(gettext("Now"), running), ...this.#days(planned), ...this.#section(gettext("Over"), over), ...nothing);
    const again = focused ? this.#lists.querySelector(`a[href="${focused}"]`) : null;
    if (again instanceof HTMLElement) again.focus();
    this.#tick();
  }

  /** @param {TournamentSummary[]} planned By their start. */
  #days(planned) {
    const now_ms = this.connection.now_ms();
    const days = [...new Set(planned.map(({ plan }) => dayOf(plan.starts_at_ms)))];
    return days.flatMap((day) => this.#section(dayText(day, now_ms), planned.filter(({ plan }) => dayOf(plan.starts_at_ms) === day)));
  }

  /** @param {string} title @param {TournamentSummary[]} shown */
  #section(title, shown) {
    if (shown.length === 0) return [];
    return [element("section", { class: "card", "aria-label": title }, element("h2", {}, title), element("ul", { class: "entries" }, ...shown.map((each) => this.#row(each))))];
  }

  /** @param {TournamentSummary} summary */
  #row(summary) {
    const { tournament, plan, players, winner } = summary;
    const facts = [
      factsText(plan, this.connection.games),
      players > 0 ? ngettext("{count} player", "{count} players", players) : "",
      summary.private ? gettext("with a password") : "",
      winner ? gettext("won by {name}", { name: shownName(winner) }) : "",
    ];
    return element(
      "li",
      {},
      element(
        "a",
        { class: "entry tournament-entry", href: `/tournament/${tournament}`, "data-tournament": tournament },
        element("strong", {}, gettext(plan.name)),
        element("span", { class: "tournament-when", "data-when": tournament }),
        element("span", { class: "soft" }, facts.filter(Boolean).join(" · ")),
      ),
    );
  }

  #tick() {
    const now_ms = this.connection.now_ms();
    for (const summary of this.#tournaments) {
      const when = this.#lists.querySelector(`[data-when="${summary.tournament}"]`);
      if (when !== null) when.textContent = whenText(summary, now_ms);
    }
  }
}

/** @param {TournamentSummary} summary @param {number} now_ms @returns {string} `14:05` below its day, and a countdown in the last hour. */
function whenText(summary, now_ms) {
  const { starts_at_ms } = summary.plan;
  return summary.status === "planned" && starts_at_ms - now_ms > HOUR_MS ? hourText(starts_at_ms) : timeText(summary, now_ms);
}
