/**
 * A trainer for coordinates: find the place that is named, or name the place that is marked, for 30 seconds.
 *
 * The server is asked only for the board. The best scores stay in the browser. The address names the game.
 */

import { EMPTY } from "../board/position.js";
import { BOARD_SHORTCUTS } from "../board/input.js";
import { seatColour } from "../board/seat_colours.js";
import { button, element, form } from "../element.js";
import { gettext, gettextNodes, later, ngettext, numberText, pgettext } from "../language/texts.js";
import { BoardArea } from "../match/board_area.js";
import { NotFoundPage } from "../not_found_page.js";
import { isStill } from "../preferences.js";
import { offerShortcuts } from "../shortcuts/shortcuts.js";
import { playSound } from "../sound.js";
import { recall, remember } from "../storage.js";
import { announce, answerOrToast } from "../toasts.js";
import { wherePlacesAre } from "./board_places.js";

/** @import { Mark } from "../board/board.js" */
/** @import { Board as Geometry } from "../protocol.js" */
/** @import { Connection } from "../connection/connection.js" */

const DURATION_MS = 30_000;
const TICK_MS = 100;
/** The time is shown as urgent below this. */
const URGENT_MS = 5_000;
/** How long an answer is marked on the board. */
const MARKED_MS = 900;

/** @typedef {"find" | "name"} Kind */
/** @type {[Kind, string][]} */
const KINDS = [
  ["find", later("Find places")],
  ["name", later("Name places")],
];

export class CoordinatesPage {
  /** @type {Kind} */
  #kind = "find";
  #isTurned = false;
  /** @type {Geometry | null} */
  #geometry = null;
  /** Where each place is, in words. @type {ReadonlyMap<string, string>} */
  #where = new Map();
  /** The place to find or to name; empty while nothing is asked. */
  #asked = "";
  /** The latest answers, while they are marked. @type {Map<string, Mark>} */
  #answers = new Map();
  #right = 0;
  #wrong = 0;
  /** Infinite without a clock. */
  #endsAt = 0;
  #ticking = 0;
  #unmarking = 0;
  #stopWaiting = () => {};
  #stopShortcuts = () => {};
  #board;
  #kinds = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Kind of exercise") });
  #games = element("nav", { class: "game-picker", "aria-label": gettext("Game") });
  #time = element("strong", { class: "puzzle-rating storm-time", role: "timer", "aria-label": gettext("Time left") });
  #bar = element("progress", { max: DURATION_MS, "aria-hidden": "true" });
  #score = element("strong", { class: "puzzle-rating coordinates-score" });
  #mistakes = element("span", { class: "note" });
  #task = element("h1", { class: "step-title puzzle-task", tabindex: -1 });
  #text = element("p", { class: "note" });
  #name = element("input", { name: "place", type: "text", autocomplete: "off", autocapitalize: "none", spellcheck: "false", enterkeyhint: "go", maxlength: 8, "aria-label": gettext("Name of the marked place"), oninput: () => this.#read(false) });
  #form = form({ class: "coordinates-form", hidden: true }, () => this.#read(true), this.#name);
  #answer = element("p", { class: "step-answer", role: "status", hidden: true });
  #buttons = element("div", { class: "extra" });
  #best = element("p", {});

  /** @param {Connection} connection @param {string} game From the address. */
  constructor(connection, game) {
    this.connection = connection;
    this.game = game;
    this.#board = new BoardArea(
      { click: (cell) => this.#choose(cell), drop: () => {}, wheel: () => {}, cancel: () => false },
      (seat) => seatColour(this.gameInfo, seat),
      (aspect) => this.element.style.setProperty("--aspect", aspect.toFixed(4)),
    );
    const counts = element("div", { class: "storm-clock" }, this.#time, element("span", {}, ...gettextNodes("{score} right", { score: this.#score })), this.#mistakes);
    const clock = element("section", { class: "card puzzle-record", "aria-label": gettext("Score") }, counts, this.#bar, this.#best);
    const card = element("section", { class: "card step-card", "aria-label": gettext("Coordinates") }, this.#task, this.#text, this.#form, this.#answer, this.#buttons);
    const others = element("div", { class: "coordinates-others" }, this.#games, element("p", {}, element("a", { href: `/puzzles/${game}` }, gettext("Puzzles"))));
    this.element = element("div", { class: "learn-page puzzles-page storm-page coordinates-page" }, this.#board.element, element("div", { class: "learn-side" }, this.#kinds, card, clock, others));
    this.element.hidden = true;
  }

  get gameInfo() {
    return this.connection.games.find(({ name }) => name === this.game);
  }

  open() {
    document.title = `${gettext("Coordinates")} · Millrace`;
    const shortcuts = [{ keys: ["b"], label: gettext("Go to the board"), run: () => this.#board.focus() }, ...BOARD_SHORTCUTS];
    this.#stopShortcuts = offerShortcuts({ title: gettext("Coordinates"), shortcuts, isActive: () => true });
    this.#stopWaiting = this.connection.whenKnown(() => this.#begin());
  }

  close() {
    clearInterval(this.#ticking);
    clearTimeout(this.#unmarking);
    this.#stopShortcuts();
    this.#stopWaiting();
  }

  async #begin() {
    if (this.#geometry !== null) return;
    if (this.gameInfo === undefined) {
      this.element.className = "";
      this.element.replaceChildren(new NotFoundPage().element);
      this.element.hidden = false;
      return;
    }
    const told = await answerOrToast(this.connection.ask({ type: "explore", line: { game: this.game, setup: "" } }));
    if (told === null || this.#geometry !== null) return;
    this.#geometry = told.board;
    const { games } = this.connection;
    this.#games.replaceChildren(...games.map(({ name, title }) => element("a", { class: "button", href: `/coordinates/${name}`, "aria-current": name === this.game ? "page" : undefined }, title)));
    this.#prepare();
    this.element.hidden = false;
  }

  /** Show the board with its coordinates, before an exercise. */
  #prepare() {
    this.#stop();
    const intro = { find: gettext("Find as many places as you can in 30 seconds."), name: gettext("Name as many places as you can in 30 seconds: type what the marked place is called.") };
    this.#task.textContent = gettext("Coordinates");
    this.#text.textContent = `${intro[this.#kind]} ${gettext("The coordinates on the board are hidden meanwhile.")}`;
    this.#right = this.#wrong = 0;
    this.#showScore();
    this.#showTime(DURATION_MS);
    this.#offer(pgettext("to begin an exercise", "Start"));
  }

  /** Turn to another kind of exercise. @param {Kind} kind */
  #chooseKind(kind) {
    this.#kind = kind;
    this.#prepare();
  }

  #flip() {
    this.#isTurned = !this.#isTurned;
    this.#board.turn();
    this.#prepare();
  }

  /** End the exercise, and show the coordinates again. */
  #stop() {
    clearInterval(this.#ticking);
    clearTimeout(this.#unmarking);
    this.#asked = "";
    this.#answers.clear();
    this.#form.hidden = this.#answer.hidden = true;
    this.element.dataset.running = "false";
    this.#where = wherePlacesAre(/** @type {Geometry} */ (this.#geometry), this.#isTurned);
    this.#showChoices();
    this.#showBoard();
  }

  #showChoices() {
    const kinds = KINDS.map(([kind, title]) => button(gettext(title), () => this.#chooseKind(kind), { "aria-pressed": String(kind === this.#kind) }));
    this.#kinds.replaceChildren(...kinds, button(gettext("Flip the board"), () => this.#flip(), { "aria-pressed": String(this.#isTurned) }));
    this.#best.textContent = gettext("Best in 30 seconds: {best}", { best: this.#stored });
  }

  /** @param {number} duration_ms Infinite without a clock. */
  #start(duration_ms) {
    this.#stop();
    this.#right = this.#wrong = 0;
    this.#endsAt = performance.now() + duration_ms;
    this.#text.textContent = "";
    this.element.dataset.running = "true";
    this.element.dataset.kind = this.#kind;
    this.#form.hidden = this.#kind === "find";
    this.#buttons.replaceChildren(button(gettext("Stop"), () => this.#prepare(), { class: "button quiet" }));
    this.#time.hidden = this.#bar.hidden = duration_ms === Infinity;
    this.#ticking = duration_ms === Infinity ? 0 : setInterval(() => this.#tick(), TICK_MS);
    this.#showTime(duration_ms);
    this.#showScore();
    this.#ask();
    if (this.#kind === "find") this.#board.focus();
    else this.#name.focus();
  }

  /** Ask for another place. */
  #ask() {
    const others = [...this.#where.keys()].filter((name) => name !== this.#asked);
    this.#asked = others[Math.floor(Math.random() * others.length)];
    this.#name.value = "";
    this.#task.textContent = this.#kind === "find" ? gettext("Find {place}", { place: this.#asked }) : gettext("What is the marked place called?");
    this.#showBoard();
    announce(this.#kind === "find" ? (this.#task.textContent ?? "") : (this.#where.get(this.#asked) ?? ""));
  }

  /** @param {string} cell That was clicked. */
  #choose(cell) {
    if (this.#asked === "" || this.#kind !== "find") return;
    this.#judge(cell);
  }

  /** Judge the name that is typed once it can be no other, or when it is entered. @param {boolean} isEntered */
  #read(isEntered) {
    const typed = this.#name.value.normalize("NFKC").trim().toLowerCase();
    if (this.#asked === "" || typed === "") return;
    const begun = [...this.#where.keys()].filter((name) => name.startsWith(typed));
    const isWhole = begun.length === 1 && begun[0] === typed;
    if (typed === this.#asked || isWhole || (isEntered && this.#where.has(typed))) return this.#judge(typed);
    if (!isEntered && begun.length > 0) return;
    this.#name.value = isEntered ? "" : this.#name.value;
    this.#say("wrong", gettext("No place is called {place}.", { place: typed }));
  }

  /** @param {string} place The answer. */
  #judge(place) {
    const isRight = place === this.#asked;
    if (isRight) this.#right += 1;
    else this.#wrong += 1;
    this.#answers.clear();
    this.#answers.set(place, isRight ? "right" : "wrong");
    clearTimeout(this.#unmarking);
    this.#unmarking = setTimeout(() => this.#unmark(), MARKED_MS);
    this.#say(isRight ? "right" : "wrong", isRight ? gettext("{place} is right.", { place }) : this.#kind === "find" ? gettext("That is {place}.", { place }) : gettext("{place} is here.", { place }));
    this.#showScore();
    playSound(isRight ? "right" : "wrong", this.#geometry?.shape);
    if (isRight) return this.#ask();
    this.#name.value = "";
    this.#showBoard();
  }

  #unmark() {
    this.#answers.clear();
    this.#showBoard();
  }

  /** @param {"right" | "wrong"} stage @param {string} words */
  #say(stage, words) {
    this.#answer.hidden = false;
    this.#answer.dataset.stage = stage;
    this.#answer.textContent = words;
  }

  #showBoard() {
    const [geometry, isFinding] = [this.#geometry, this.#asked !== "" && this.#kind === "find"];
    if (geometry === null) return;
    /** @type {Map<string, Set<Mark>>} */
    const marks = new Map([...this.#where.keys()].map((name) => [name, new Set(isFinding ? ["go"] : [])]));
    if (this.#asked !== "" && !isFinding) marks.get(this.#asked)?.add("asked");
    for (const [name, mark] of this.#answers) marks.get(name)?.add(mark);
    const describe = (/** @type {string} */ name) => (this.#asked === "" ? name : (this.#where.get(name) ?? ""));
    this.#board.show({ position: { ...EMPTY, board: geometry }, marks, colour: null, acceptsPremove: false, plans: null, isSudden: true, describe }, false);
  }

  #showScore() {
    this.#score.textContent = numberText(this.#right);
    this.#mistakes.textContent = this.#wrong === 0 ? "" : ngettext("{count} wrong answer", "{count} wrong answers", this.#wrong);
  }

  #tick() {
    const left_ms = Math.max(0, this.#endsAt - performance.now());
    this.#showTime(left_ms);
    if (left_ms === 0) this.#finish();
  }

  /** @param {number} left_ms */
  #showTime(left_ms) {
    if (left_ms === Infinity) return;
    const seconds = Math.ceil(left_ms / 1000);
    this.#time.textContent = `0:${String(seconds).padStart(2, "0")}`;
    this.#time.dataset.urgent = String(left_ms < URGENT_MS);
    // It moves by steps for readers who want little motion.
    this.#bar.value = isStill() ? seconds * 1000 : left_ms;
  }

  #finish() {
    const [before, score] = [this.#stored, this.#right];
    if (score > before) remember(this.#key, String(score));
    this.#stop();
    playSound(score > before ? "solved" : "end", this.#geometry?.shape);
    this.#task.textContent = gettext("Time is up.");
    this.#text.textContent = score > before ? gettext("{score} right: your best so far.", { score }) : gettext("{score} right.", { score });
    this.#offer(gettext("Play again"));
    this.#task.focus();
    announce(this.#text.textContent);
  }

  /** Offer an exercise. @param {string} label */
  #offer(label) {
    this.#time.hidden = this.#bar.hidden = false;
    this.#buttons.replaceChildren(
      button(label, () => this.#start(DURATION_MS), { class: "button primary" }),
      button(gettext("Practise without a clock"), () => this.#start(Infinity), { class: "button quiet" }),
    );
  }

  /** Where the best score of this game, kind and side is stored. */
  get #key() {
    return `millrace.coordinates.${this.game}.${this.#kind}${this.#isTurned ? ".turned" : ""}`;
  }

  get #stored() {
    return Number(recall(this.#key) ?? 0);
  }
}
