/** A tournament: its facts, the reader's own place, the standings, the rounds, and the boards of the leaders. All is live. */

import { ChatPanel } from "../chat/chat_panel.js";
import { button, element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { BoardList } from "../spectating/board_list.js";
import { announce, answerOrToast } from "../toasts.js";
import { disqualification } from "./disqualification.js";
import { ForbiddenPairs } from "./forbidden_pairs.js";
import { PlayerMatches } from "./player_matches.js";
import { podium } from "./podium.js";
import { RoundsView } from "./rounds_view.js";
import { SimulBoards } from "./simul_boards.js";
import { applicationText, simulPlayers } from "./simul_players.js";
import { standingsTable } from "./standings_table.js";
import { placeText } from "./place_text.js";
import { kindOf } from "./tournament_kind.js";
import { admits, conditionTexts, factsText, isWaiting, timeText } from "./tournament_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Interruption, Refused, SeatPlan, Standing, TournamentKind, TournamentPlan, TournamentSummary, TournamentTable, TournamentUpdate, TournamentView, YourStanding, YourTournament } from "../protocol.js" */

const PAGE_ROWS = 25;
const TICK_MS = 1_000;

export class TournamentPage {
  #page = 0;
  /** @type {TournamentView | null} */
  #view = null;
  /** @type {YourStanding | null} */
  #you = null;
  #said = "";
  #placeKey = "";
  /** Whether the server can store nothing: the time stands still. */
  #isInterrupted = false;
  #timer = 0;
  #unfollow = () => {};
  #stopWaiting = () => {};
  #title = element("h1");
  #facts = element("p", { class: "about" });
  #time = element("p", { class: "tournament-time" });
  #place = element("div", { class: "card your-place", hidden: true });
  #actions = element("div", { class: "tournament-actions" });
  #actionsKey = "";
  #password = element("input", { name: "password", maxlength: 64, autocomplete: "off" });
  #podium = element("div");
  #standings = element("section", { class: "card", "aria-label": gettext("Standings") });
  #rounds = new RoundsView();
  #downloads = element("p", { class: "note" });
  #matches;
  #forbidden;
  #disqualification;
  #boards;
  #chat;
  #leaders;
  #simul;

  /** @param {Connection} connection @param {string} id @param {(path: string) => void} navigate */
  constructor(connection, id, navigate) {
    this.connection = connection;
    this.id = id;
    this.navigate = navigate;
    this.#matches = new PlayerMatches(connection, id);
    this.#forbidden = new ForbiddenPairs(connection, id);
    this.#disqualification = disqualification(connection, id);
    this.#boards = new BoardList(connection);
    this.#simul = new SimulBoards(connection);
    this.#chat = new ChatPanel(connection, `tournament/${id}`);
    this.#leaders = element("section", { class: "leaders-boards", "aria-label": gettext("Boards of the leaders"), hidden: true }, element("h2", {}, gettext("Boards of the leaders")), this.#boards.element);
    this.element = element(
      "div",
      { class: "tournament-page", hidden: true },
      this.#title,
      this.#facts,
      this.#time,
      this.#place,
      this.#actions,
      this.#podium,
      this.#simul.element,
      this.#standings,
      this.#matches.element,
      this.#rounds.element,
      this.#leaders,
      this.#chat.element,
      this.#forbidden.element,
      this.#disqualification,
      this.#downloads,
    );
    this.onWelcome = () => (this.#isInterrupted = false);
    this.onInterruption = (/** @type {Event} */ event) => (this.#isInterrupted = !(/** @type {CustomEvent<Interruption>} */ (event).detail.is_over));
    this.onPlace = (/** @type {Event} */ event) => this.#hear(/** @type {CustomEvent<YourTournament>} */ (event).detail);
  }

  open() {
    document.title = `${gettext("Tournament")} · Millrace`;
    this.connection.addEventListener("welcome", this.onWelcome);
    this.connection.addEventListener("interruption", this.onInterruption);
    this.connection.addEventListener("tournament", this.onPlace);
    this.#stopWaiting = this.connection.whenKnown(() => {
      this.#turnTo(0);
      this.#chat.open();
    });
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.#timer);
    this.connection.removeEventListener("welcome", this.onWelcome);
    this.connection.removeEventListener("interruption", this.onInterruption);
    this.connection.removeEventListener("tournament", this.onPlace);
    this.#stopWaiting();
    this.#unfollow();
    this.#chat.close();
    this.#boards.close();
    this.#simul.close();
  }

  /** @param {number} page */
  #turnTo(page) {
    this.#page = page;
    this.#unfollow = this.connection.follow({ type: "watch_tournament", tournament: this.id, page }, (message) => this.#receive(message));
  }

  /** @param {TournamentView | TournamentUpdate | Refused} message */
  #receive(message) {
    if (message.type === "refused") return this.#refuse(message.message);
    if (message.type === "tournament_view") this.#take(message);
    else if (this.#view !== null && message.page === this.#page) this.#view = updated(this.#view, message);
    this.#show();
  }

  /** @param {TournamentView} view */
  #take(view) {
    this.#view = view;
    this.#you = view.you ?? null;
  }

  /** @param {YourTournament} place */
  #hear({ tournament, you, by_correspondence: byCorrespondence = false }) {
    if (tournament !== this.id) return;
    const before = this.#you?.standing.match ?? null;
    this.#you = you;
    const match = you?.opponent ? (you.standing.match ?? null) : null;
    if (match !== null && match !== before && !byCorrespondence) this.navigate(`/match/${match}`);
    else this.#show();
  }

  #show() {
    const view = this.#view;
    if (view === null) return;
    const { summary } = view;
    const kind = kindOf(summary.plan);
    this.element.hidden = false;
    const { description } = summary.plan;
    // Those of the calendar are translated.
    this.#title.textContent = gettext(summary.plan.name);
    document.title = `${this.#title.textContent} · Millrace`;
    const words = [factsText(summary.plan, this.connection.games), gettext("by {name}", { name: summary.by }), ...conditionTexts(summary.plan)];
    this.#facts.replaceChildren(words.join(" · "), ...(description ? [element("br"), gettext(description)] : []));
    this.#showPlace(summary);
    this.#showActions(view);
    this.#showStandings(view);
    if (kind === "simul") this.#simul.show(view, this.#isHost(summary));
    else this.#rounds.show(view, this.connection.player?.id ?? "");
    this.#showDownloads(kind);
    this.#forbidden.show(view);
    this.#disqualification.hidden = this.connection.restrictions.role === null;
    const game = summary.plan.game;
    const boards = kind === "simul" ? [] : (view.boards ?? []);
    this.#leaders.hidden = boards.length === 0;
    this.#boards.show(boards.map((match) => ({ match, game })));
    this.#tick();
  }

  /** Whether the reader is the host of this simul. @param {TournamentSummary} summary */
  #isHost({ plan, by }) {
    return kindOf(plan) === "simul" && this.connection.player?.name === by;
  }

  /** @param {TournamentSummary} summary */
  #showPlace(summary) {
    const you = this.#you;
    const words = you === null ? "" : placeWords(you, summary);
    this.#place.hidden = words === "";
    if (you === null || this.#place.hidden) return;
    if (this.#placeKey !== `${words} ${you.standing.match}`) {
      this.#placeKey = `${words} ${you.standing.match}`;
      this.#place.replaceChildren(element("p", {}, words), ...this.#ways(you, summary));
    }
    if (words !== this.#said) announce(words);
    this.#said = words;
  }

  /** Where the reader may go from here. @param {YourStanding} you @param {TournamentSummary} summary */
  #ways(you, { plan }) {
    if (you.standing.match) return [element("a", { class: "button primary", href: `/match/${you.standing.match}` }, gettext("To the board"))];
    const mayPlayBot = isWaiting(you) && kindOf(plan) === "arena" && this.connection.offersBots(plan.game);
    return mayPlayBot ? [button(gettext("Play a bot meanwhile, unrated"), () => this.#playBot(plan), { class: "button quiet" })] : [];
  }

  /** @param {TournamentPlan} plan */
  async #playBot({ game, clock, setup = "" }) {
    const fitting = await answerOrToast(this.connection.ask({ type: "get_fitting_bot", game }));
    if (fitting === null) return;
    /** @type {SeatPlan[]} */
    const seats = [{ occupant: "me" }, { occupant: "bot", level: fitting.level }];
    const created = await answerOrToast(this.connection.command({ type: "create", game, seats, setup, clock, shuffle: true }));
    if (created !== null) this.navigate(`/match/${created.match}`);
  }

  /** @param {TournamentView} view */
  #showActions({ summary }) {
    const { player } = this.connection;
    if (this.#isHost(summary)) return this.#showHostActions(summary);
    const standing = this.#you?.standing;
    const isIn = standing !== undefined && !standing.paused;
    const key = `${summary.status} ${admits(summary)} ${isIn} ${standing?.disqualified} ${player?.registered} ${summary.private}`;
    if (key === this.#actionsKey) return;
    this.#actionsKey = key;
    this.#actions.replaceChildren();
    if (summary.status === "over" || standing?.disqualified || (standing === undefined && !admits(summary))) return;
    if (!player?.registered) {
      this.#actions.append(element("p", { class: "note" }, gettext("You need an account to join."), " ", element("a", { href: "/account" }, gettext("Create an account"))));
    } else if (isIn) {
      this.#actions.append(button(summary.status === "running" && kindOf(summary.plan) === "arena" ? gettext("Pause") : gettext("Withdraw"), () => this.#ask("leave_tournament")));
    } else {
      const needsPassword = summary.private && standing === undefined;
      const field = needsPassword ? [element("label", { class: "labelled" }, element("span", {}, gettext("Password")), this.#password)] : [];
      const submit = element("button", { class: "button primary" }, standing === undefined ? gettext("Join") : gettext("Return"));
      this.#actions.append(form({ class: "join-form" }, () => this.#ask("join_tournament"), ...field, submit));
    }
  }

  /** @param {TournamentSummary} summary */
  #showHostActions({ status }) {
    if (status === this.#actionsKey) return;
    this.#actionsKey = status;
    const start = button(gettext("Start the exhibition"), () => this.#ask("start_simul"), { class: "button primary" });
    const callOff = button(gettext("Call off"), () => this.#ask("leave_tournament"), { class: "button quiet" });
    this.#actions.replaceChildren(...(status === "planned" ? [element("p", { class: "note" }, gettext("Accept the players whom you want to play, then start. All matches begin at once.")), start, " ", callOff] : []));
  }

  /** @param {"join_tournament" | "leave_tournament" | "start_simul"} type */
  async #ask(type) {
    const tournament = this.id;
    const done = await answerOrToast(type === "join_tournament" ? this.connection.ask({ type, tournament, password: this.#password.value }) : this.connection.ask({ type, tournament }));
    // The answer comes before the news of it.
    if (done !== null) this.#turnTo(this.#page);
  }

  /** @param {TournamentView} view */
  #showStandings({ summary, standings }) {
    const isSimul = kindOf(summary.plan) === "simul";
    const isOver = summary.status === "over" && this.#page === 0 && standings.length > 0 && !isSimul;
    if (isOver && this.#podium.childElementCount === 0) this.#podium.replaceChildren(podium(standings, summary.plan));
    const pages = Math.max(1, Math.ceil(summary.players / PAGE_ROWS));
    const nobody = element("p", { class: "empty-note" }, gettext("Nobody has joined yet."));
    const focused = this.#standings.contains(document.activeElement) ? document.activeElement?.textContent : null;
    this.#standings.replaceChildren(
      element("h2", {}, isSimul ? gettext("Players") : gettext("Standings"), " ", element("span", { class: "count" }, String(summary.players))),
      standings.length > 0 ? element("div", { class: "table-frame" }, isSimul ? this.#simulPlayers(summary, standings) : standingsTable(standings, this.connection.player?.id ?? "", summary.plan, (standing) => this.#matches.show(standing, summary.plan))) : nobody,
      ...(pages > 1 ? [this.#pager(pages)] : []),
    );
    const again = [...this.#standings.querySelectorAll("a, button")].find(({ textContent }) => textContent === focused);
    if (focused && again instanceof HTMLElement) again.focus();
  }

  /** @param {TournamentSummary} summary @param {Standing[]} standings */
  #simulPlayers(summary, standings) {
    const accept = (/** @type {string} */ player, /** @type {boolean} */ on) => answerOrToast(this.connection.ask({ type: "accept_player", tournament: this.id, player, on }));
    const mayAccept = summary.status === "planned" && this.#isHost(summary);
    return simulPlayers(standings, this.connection.player?.id ?? "", summary.status, mayAccept ? accept : null);
  }

  /** @param {TournamentKind} kind */
  #showDownloads(kind) {
    if (this.#downloads.childElementCount > 0) return;
    const link = (/** @type {string} */ ending, /** @type {string} */ words) => element("a", { href: `/tournament/${this.id}.${ending}`, download: "" }, words);
    this.#downloads.replaceChildren(link("json", gettext("Download as JSON")), ...(kind === "swiss" ? [" · ", link("trf", gettext("Download as FIDE report"))] : []));
  }

  /** @param {number} pages */
  #pager(pages) {
    return element(
      "nav",
      { class: "pager", "aria-label": gettext("Pages") },
      button(gettext("Previous"), () => this.#turnTo(this.#page - 1), { disabled: this.#page === 0 }),
      element("span", { class: "pager-place" }, gettext("Page {page} of {pages}", { page: this.#page + 1, pages })),
      button(gettext("Next"), () => this.#turnTo(this.#page + 1), { disabled: this.#page + 1 >= pages }),
    );
  }

  #tick() {
    const view = this.#view;
    if (view === null) return;
    const isHalted = this.#isInterrupted && view.summary.status === "running";
    this.#time.textContent = isHalted ? gettext("The tournament’s time stands still: nothing can be stored right now.") : timeText(view.summary, this.connection.now_ms());
  }

  /** @param {string} words */
  #refuse(words) {
    this.close();
    this.element.hidden = false;
    this.element.className = "notice";
    this.element.replaceChildren(element("p", {}, gettext(words)), element("a", { class: "button", href: "/tournaments" }, gettext("Tournaments")));
  }
}

/** @param {YourStanding} you @param {TournamentSummary} summary @returns {string} Empty if there is nothing to say. */
function placeWords(you, summary) {
  if (summary.status === "over") return "";
  if (kindOf(summary.plan) === "simul" && !you.opponent) return applicationText(you, summary);
  return summary.status === "running" ? placeText(you, summary) : "";
}

/** @param {TournamentView} view @param {TournamentUpdate} update @returns {TournamentView} */
function updated(view, { standings = [], rows, summary, boards, tables = [], forbidden }) {
  const byRank = new Map([...view.standings, ...standings].map((row) => [row.rank, row]));
  const ordered = [...byRank.values()].sort((one, other) => one.rank - other.rank);
  return {
    ...view,
    standings: ordered.slice(0, rows ?? ordered.length),
    summary: summary ?? view.summary,
    boards: boards ?? view.boards,
    tables: tables.length > 0 ? replaced(view.tables ?? [], tables) : view.tables,
    forbidden: forbidden ?? view.forbidden,
  };
}

/** @param {TournamentTable[]} known @param {TournamentTable[]} changed */
function replaced(known, changed) {
  return [...new Map([...known, ...changed].map((table) => [`${table.losers} ${table.round} ${table.table}`, table])).values()];
}
