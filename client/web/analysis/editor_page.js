/**
 * Setting up a position by hand: pieces are dragged onto the board, moved and removed. It works for every game whose
 * positions the server can compose; the server checks each position.
 */

import { addressOf } from "../analysis_address.js";
import { EMPTY, changed } from "../board/position.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { RefusedError } from "../connection/requests.js";
import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { BoardArea } from "../match/board_area.js";
import { answerOrToast } from "../toasts.js";
import { PiecePalette } from "./piece_palette.js";

/** @import { Mark } from "../board/board.js" */
/** @import { Pile, Position } from "../board/position.js" */
/** @import { Connection } from "../connection/connection.js" */
/** @import { Change } from "../protocol.js" */

/** Delay between a change and the request to check the position. */
const REST_MS = 150;

export class EditorPage {
  /** @type {Position} */
  #position = EMPTY;
  /** The cell whose piece is picked up. @type {string | null} */
  #picked = null;
  #setup = "";
  /** The text of the shown position; empty while it is not known to be valid. */
  #text = "";
  #timer = 0;
  /** Counts the changes; an answer about an earlier one comes too late. */
  #changes = 0;
  #stopWaiting = () => {};

  #palette = new PiecePalette({ chosen: () => this.#choose(), dropped: (seat, cell) => this.#put(cell, { seat, size: this.#size }) });
  #area = new BoardArea(
    { click: (cell) => this.#click(cell), drop: () => this.#drop(), wheel: () => {}, cancel: () => this.#drop(), discard: (cell) => this.#remove(cell) },
    (seat) => seatColour(this.#game, seat),
    (aspect) => this.element.style.setProperty("--aspect", aspect.toFixed(4)),
  );
  #start = element("select", { "aria-label": gettext("Board"), onchange: () => this.#load(this.#start.value) });
  #toMove = element("select", { "aria-label": gettext("To move"), onchange: () => this.#change() });
  #stack = element("input", { type: "number", min: 1, value: 1, "aria-label": gettext("Pieces in a stack") });
  #stackLabel = element("label", { class: "editor-field" }, element("span", {}, gettext("Pieces in a stack")), this.#stack);
  #reserves = element("div", { class: "editor-fields" });
  #words = element("p", { class: "note", role: "status" });
  #output = element("textarea", { class: "position-text", rows: 2, readonly: true, "aria-label": gettext("Position as text") });
  #analyse = button(gettext("Analyse this position"), () => this.navigate(addressOf({ game: this.game, setup: this.#text }, 0, [])), { class: "button primary" });

  /** @param {Connection} connection @param {string} game @param {(path: string) => void} navigate */
  constructor(connection, game, navigate) {
    this.connection = connection;
    this.game = game;
    this.navigate = navigate;
    this.#setup = new URLSearchParams(location.search).get("position") ?? "";
    this.element = element(
      "div",
      { class: "match-page analysis-page editor-page" },
      element("h1", { class: "visually-hidden" }, gettext("Set up a position")),
      element("div", { class: "board-and-bar" }, this.#area.element),
      element("div", { class: "strips below" }, this.#palette.element),
      element(
        "div",
        { class: "side" },
        element("p", { class: "analysis-status" }, gettext("Set up a position")),
        element("p", { class: "note" }, gettext("Drag pieces onto the board, move them, or drag them off it. Or choose a piece, then cells.")),
        element("div", { class: "extra" }, this.#start, button(icon("turn"), () => this.#turn(), { class: "button icon-button", "aria-label": gettext("Flip the board") })),
        element("div", { class: "extra" }, button(gettext("Clear the board"), () => this.#clear()), button(gettext("Starting position"), () => this.#load(this.#start.value))),
        element("label", { class: "editor-field" }, element("span", {}, gettext("To move")), this.#toMove),
        this.#stackLabel,
        this.#reserves,
        this.#words,
        this.#output,
        this.#analyse,
      ),
    );
    this.element.hidden = true;
  }

  open() {
    document.title = `${gettext("Set up a position")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#begin());
  }

  close() {
    clearTimeout(this.#timer);
    this.#stopWaiting();
  }

  get #game() {
    return this.connection.games.find(({ name }) => name === this.game);
  }

  get #size() {
    return Math.max(1, Math.min(Number(this.#stack.value) || 1, this.#game?.editor?.largest_pile ?? 1));
  }

  #begin() {
    const game = this.#game;
    if (!game?.editor) return this.navigate("/analysis");
    const starts = game.starts.filter(({ setup }) => !setup.includes("{seed}"));
    this.#start.replaceChildren(element("option", { value: "" }, gettext("Standard start")), ...starts.map(({ title, setup }) => element("option", { value: setup }, title)));
    this.#start.hidden = starts.length === 0;
    this.#stack.max = String(game.editor.largest_pile);
    this.#stackLabel.hidden = game.editor.largest_pile === 1;
    this.#load(this.#setup);
  }

  /** @param {string} setup */
  async #load(setup) {
    const told = await answerOrToast(this.connection.ask({ type: "explore", line: { game: this.game, setup } }));
    if (told === null) return this.navigate("/analysis");
    this.#setup = setup;
    this.#position = { ...changed({ ...EMPTY, board: told.board }, told.view), highlights: [], tallies: [] };
    this.#picked = null;
    const nameOf = (/** @type {number} */ seat) => seatName(this.#game, seat);
    this.#palette.offer(told.seats, nameOf, (seat) => seatColour(this.#game, seat));
    const seats = Array.from({ length: told.seats }, (_, seat) => seat);
    this.#toMove.replaceChildren(...seats.map((seat) => element("option", { value: seat, selected: seat === (told.to_move ?? 0) }, nameOf(seat))));
    const most = this.#game?.editor?.largest_reserve ?? 0;
    this.#reserves.hidden = most === 0;
    this.#reserves.replaceChildren(...seats.map((seat) => this.#reserveField(seat, nameOf(seat), most)));
    this.element.hidden = false;
    this.#change();
  }

  /** @param {number} seat @param {string} name @param {number} most */
  #reserveField(seat, name, most) {
    const label = gettext("{seat}: pieces in hand", { seat: name });
    const input = element("input", { type: "number", min: 0, max: most, value: this.#position.reserves[seat] ?? 0, "aria-label": label, onchange: () => this.#change() });
    return element("label", { class: "editor-field" }, element("span", {}, label), input);
  }

  #turn() {
    this.#area.turn();
    this.#show();
  }

  #clear() {
    this.#position = { ...this.#position, piles: new Map() };
    this.#picked = null;
    for (const input of this.#reserves.querySelectorAll("input")) input.value = input.max;
    this.#change();
  }

  #choose() {
    this.#picked = null;
    if (this.#position.board !== null) this.#show();
  }

  /** @param {string} cell */
  #click(cell) {
    const { tool } = this.#palette;
    const pile = this.#position.piles.get(cell);
    if (tool === "remove") return this.#remove(cell);
    if (tool !== "move") return pile?.seat === tool && pile.size === this.#size ? this.#remove(cell) : this.#put(cell, { seat: tool, size: this.#size });
    if (this.#picked !== null && cell !== this.#picked) return this.#move(this.#picked, cell);
    this.#picked = this.#picked === null && pile !== undefined ? cell : null;
    this.#show();
  }

  /** @returns {boolean} Whether a piece was picked up. */
  #drop() {
    const hasPicked = this.#picked !== null;
    this.#picked = null;
    if (hasPicked) this.#show();
    return hasPicked;
  }

  /** @param {string} from @param {string} to */
  #move(from, to) {
    const pile = this.#position.piles.get(from);
    if (pile === undefined) return;
    this.#setPiles((piles) => {
      piles.delete(from);
      piles.set(to, pile);
    });
  }

  /** @param {string} cell @param {Pile} pile */
  #put(cell, pile) {
    // It comes from the hand, if there is one.
    const input = this.#reserves.querySelectorAll("input")[pile.seat];
    if (input !== undefined && this.#position.piles.get(cell)?.seat !== pile.seat) input.value = String(Math.max(0, Number(input.value) - 1));
    this.#setPiles((piles) => piles.set(cell, pile));
  }

  /** @param {string} cell */
  #remove(cell) {
    this.#setPiles((piles) => piles.delete(cell));
  }

  /** @param {(piles: Map<string, Pile>) => unknown} change */
  #setPiles(change) {
    const piles = new Map(this.#position.piles);
    change(piles);
    this.#position = { ...this.#position, piles };
    this.#picked = null;
    this.#change();
  }

  /** Show the position, and ask the server for its text once it rests. */
  #change() {
    this.#show();
    this.#changes += 1;
    this.#text = "";
    this.#analyse.disabled = true;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#compose(), REST_MS);
  }

  async #compose() {
    const { piles, reserves } = this.#position;
    const asked = this.#changes;
    const inputs = [...this.#reserves.querySelectorAll("input")].map(({ value }) => Math.max(0, Math.trunc(Number(value)) || 0));
    const command = {
      game: this.game,
      setup: this.#setup,
      piles: [...piles].map(([cell, { seat, size }]) => /** @type {Change} */ ([cell, seat, size])),
      reserves: this.#reserves.hidden ? [...reserves] : inputs,
      to_move: Number(this.#toMove.value),
    };
    try {
      const told = await this.connection.ask({ type: "compose", ...command });
      if (asked === this.#changes) this.#take(told.position, "");
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (asked === this.#changes) this.#take("", error.message);
    }
  }

  /** @param {string} text @param {string} words Why it is not a valid position; empty if it is. */
  #take(text, words) {
    this.#text = text;
    this.#output.value = text;
    this.#words.textContent = words;
    this.#analyse.disabled = text === "";
  }

  #show() {
    const { board, piles } = this.#position;
    /** @type {Map<string, Set<Mark>>} */
    const marks = new Map();
    if (this.#palette.tool === "move") {
      for (const [cell] of board?.cells ?? []) {
        if (cell === this.#picked) marks.set(cell, new Set(["pick", "picked"]));
        else if (this.#picked !== null) marks.set(cell, new Set(["go"]));
        else if (piles.has(cell)) marks.set(cell, new Set(["pick"]));
      }
    }
    const { tool } = this.#palette;
    const colour = typeof tool === "number" ? seatColour(this.#game, tool) : null;
    this.#area.show({ position: this.#position, marks, colour, acceptsPremove: true, plans: null, isSudden: true, describe: (cell) => this.#describe(cell) }, false);
  }

  /** @param {string} cell */
  #describe(cell) {
    const pile = this.#position.piles.get(cell);
    if (pile === undefined) return `${cell}, ${gettext("empty")}`;
    const name = seatName(this.#game, pile.seat);
    return pile.size === 1 ? `${cell}, ${name}` : `${cell}, ${name}, ${pile.size}`;
  }
}
