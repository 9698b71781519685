/**
 * Planned replies in a correspondence match: "If they play X, I play Y", entered on a board of its own or typed.
 *
 * The server keeps the plan, checks every move, and plays the replies that are due. Nobody else sees it.
 */

import { EMPTY, changed } from "../board/position.js";
import { button, element, form } from "../element.js";
import { gettext } from "../language/texts.js";
import { announce } from "../toasts.js";
import { liveScene, pastScene } from "./board_scene.js";
import { MoveBoard } from "./move_board.js";
import { lineText, withLine } from "./plan_lines.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Event, Explored, Plan } from "../protocol.js" */
/** @import { Seats } from "./board_scene.js" */
/** @import { MatchState } from "./match_state.js" */

export class PlanBox {
  /** The plan as the server has it. @type {string[][]} */
  #lines = [];
  /** The line that is being entered. @type {string[]} */
  #moves = [];
  /** The end of that line. @type {Explored | null} */
  #told = null;
  /** The ply from which it is entered. */
  #ply = -1;
  /** Equal boards are one object, so that the board is not redrawn. @type {Explored["board"] | null} */
  #geometry = null;
  #isOwnTurn = false;
  /** Settles when no request is open: each answer is shown before the next request is sent. @type {Promise<void>} */
  #asked = Promise.resolve();
  #list = element("ul", { class: "plan-lines" });
  #note = element("p", { class: "note" });
  #line = element("p", { class: "plan-line", role: "status" });
  #text = element("input", { type: "text", class: "plan-move", autocomplete: "off", spellcheck: "false", maxlength: "64", id: "plan-move" });
  #undo = button(gettext("Take back a move"), () => this.#back(), { class: "button quiet" });
  #add = button(gettext("Add to the plan"), () => this.#save(() => withLine(this.#lines, this.#moves)), { class: "button primary" });
  #board;
  #editor;

  /** @param {Connection} connection @param {MatchState} state @param {() => Seats} seats */
  constructor(connection, state, seats) {
    this.connection = connection;
    this.state = state;
    this.seats = seats;
    this.#board = new MoveBoard(
      { click: (key) => this.#click(key), drop: () => this.#drop(), changed: () => this.#draw(), laidOut: () => undefined },
      (seat) => seats().colourOf(seat),
    );
    const typed = form({ class: "extra" }, () => void this.#type(), element("label", { for: "plan-move" }, gettext("Next move")), this.#text, element("button", { type: "submit", class: "button" }, gettext("Enter")));
    this.#editor = element(
      "div",
      { class: "plan-editor" },
      element("div", { class: "plan-board" }, this.#board.element),
      element("div", { class: "plan-entry" }, this.#line, this.#board.choicePanel.element, typed, element("div", { class: "extra" }, this.#add, this.#undo)),
    );
    this.element = element(
      "details",
      { class: "position-box plan-box", hidden: true, ontoggle: () => this.#open() },
      element("summary", {}, gettext("Plan your replies")),
      this.#note,
      this.#list,
      this.#editor,
    );
  }

  /** Follow the match: request the rest of the plan again. @param {Event[]} news New events; empty when the match has loaded. */
  hear(news) {
    const { state } = this;
    const isPlanning = state.clock?.renews === true && state.isStarted && state.end === null && state.activeSeats.length === 1;
    this.element.hidden = !isPlanning;
    if (!isPlanning) return;
    const hasMoved = news.length === 0 || news.some(({ type }) => type === "moved" || type === "taken_back" || type === "started");
    if (!hasMoved) return;
    this.#isOwnTurn = state.toMove === state.activeSeats[0];
    this.#moves = [];
    this.#told = null;
    this.#fetch();
  }

  #open() {
    if (this.element.open && this.#told === null) this.#explore(() => []);
  }

  /** @param {() => Promise<void>} ask @returns {Promise<void>} Settles once the request has been sent, after earlier
   * ones. */
  #inTurn(ask) {
    this.#asked = this.#asked.then(ask).catch((error) => this.#fail(error));
    return this.#asked;
  }

  #fetch() {
    return this.#inTurn(async () => {
      this.#take(await this.connection.ask({ type: "get_plan", match: this.state.id, seat: this.state.activeSeats[0] }));
      if (this.element.open) await this.#show([]);
    });
  }

  /** @param {Plan} plan */
  #take(plan) {
    this.#ply = plan.ply;
    this.#lines = plan.lines.map((line) => [...line]);
    this.#draw();
  }

  /** @param {() => string[][]} plan */
  #save(plan) {
    return this.#inTurn(async () => {
      const lines = plan();
      const wasAdded = lines.length >= this.#lines.length;
      this.#take(await this.connection.ask({ type: "set_plan", match: this.state.id, seat: this.state.activeSeats[0], ply: this.#ply, lines }));
      announce(wasAdded ? gettext("The line was added to your plan.") : gettext("The line was removed from your plan."));
      await this.#show([]);
    });
  }

  /** Ask where a line leads, and go there if it is legal. @param {() => string[]} line */
  #explore(line) {
    return this.#inTurn(async () => {
      try {
        await this.#show(line());
      } catch (error) {
        this.#board.entry.drop();
        throw error;
      }
    });
  }

  /** @param {string[]} moves */
  async #show(moves) {
    const told = await this.connection.ask({ type: "explore", line: { match: this.state.id, ply: this.#ply, moves } });
    this.#moves = moves.length === 0 ? [] : [...moves.slice(0, -1), told.move];
    this.#told = told;
    const isNewBoard = JSON.stringify(told.board) !== JSON.stringify(this.#geometry);
    const geometry = isNewBoard || this.#geometry === null ? told.board : this.#geometry;
    this.#geometry = geometry;
    this.#board.offer(geometry, told.moves, told.refused);
    this.#draw();
  }

  /** @param {string} key */
  #click(key) {
    const played = this.#played();
    if (played === null || played.toMove === null) return;
    const { entry } = this.#board;
    const clicks = entry.click(key, entry.stage(played.position, played.toMove));
    this.#draw();
    if (clicks !== null) this.#explore(() => [...this.#moves, clicks.join(" ")]);
  }

  /** Continue with the typed move; the next one may be typed before the answer arrives. */
  async #type() {
    const move = this.#text.value.trim();
    if (move === "") return;
    await this.#explore(() => [...this.#moves, move]);
    if (this.#moves.length > 0 && this.#text.value.trim() === move) this.#text.value = "";
    this.#text.focus();
  }

  #back() {
    return this.#explore(() => this.#moves.slice(0, -1));
  }

  /** @returns {boolean} Whether there were clicks to undo. */
  #drop() {
    const { entry } = this.#board;
    const hadClicks = entry.clicks.length > 0;
    if (hadClicks) entry.drop();
    this.#draw();
    return hadClicks;
  }

  /** The end of the line, as the board draws it. */
  #played() {
    if (this.#told === null) return null;
    const position = changed({ ...EMPTY, board: this.#geometry }, this.#told.view);
    return { plies: [], positions: [position], position, toMove: this.#told.to_move };
  }

  /** @param {unknown} error */
  #fail(error) {
    this.#note.textContent = error instanceof Error ? error.message : String(error);
    announce(this.#note.textContent);
  }

  #draw() {
    const { state } = this;
    const [own] = state.activeSeats;
    if (own === undefined) return;
    this.#note.textContent = this.#isOwnTurn
      ? gettext("It is your turn. Make your move, then plan your replies.")
      : gettext("The server plays your reply as soon as your opponent makes the move you expected. Nobody else sees your plan.");
    this.#editor.hidden = this.#isOwnTurn;
    this.#list.replaceChildren(...this.#lines.map((line) => this.#item(line, own)));
    this.#list.hidden = this.#lines.length === 0;
    this.#showLine(own);
    const played = this.#played();
    if (played === null) return;
    const { entry, choicePanel } = this.#board;
    this.#board.showChoices(true);
    const seats = this.seats();
    this.#board.face(own, state.players.length, state.positions[0]);
    this.#board.show(played.toMove === null ? pastScene(played, 0, seats) : liveScene(played, entry, seats, choicePanel.amount, null));
  }

  /** @param {number} own The reader's seat. */
  #showLine(own) {
    const next = this.#told?.to_move ?? null;
    const isReply = this.#moves.length > 0 && this.#lastSeat() === own;
    const whose = next === null ? gettext("The match would be over.") : next === own ? gettext("Enter your reply.") : gettext("Enter a move that {name} might play.", { name: this.seats().nameOf(next) });
    const isOpen = this.#moves.length > 0 && !isReply;
    const entered = this.#moves.length === 0 ? "" : `${this.#textOf(this.#moves, own)}${isOpen ? ":" : ""} `;
    this.#line.textContent = entered + (isOpen ? whose.charAt(0).toLowerCase() + whose.slice(1) : whose);
    this.#add.disabled = !isReply;
    this.#undo.disabled = this.#moves.length === 0;
  }

  /** The seat that made the last move of the line. */
  #lastSeat() {
    const seats = this.state.players.length;
    return ((this.state.toMove ?? 0) + this.#moves.length - 1) % seats;
  }

  /** @param {string[]} line @param {number} own */
  #item(line, own) {
    const text = this.#textOf(line, own);
    const remove = button(gettext("Remove"), () => this.#save(() => this.#lines.filter((each) => each.join() !== line.join())), { class: "button quiet small" });
    remove.setAttribute("aria-label", gettext("Remove: {text}", { text }));
    return element("li", {}, element("span", {}, text), remove);
  }

  /** @param {string[]} line @param {number} own */
  #textOf(line, own) {
    return lineText(line, this.state.toMove ?? 0, this.state.players.length, own, (seat) => this.seats().nameOf(seat));
  }
}
