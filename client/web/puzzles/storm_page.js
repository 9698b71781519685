/**
 * A storm: as many puzzles as possible in three minutes.
 *
 * The server judges the moves and keeps the time. The next puzzle is prepared while the reader solves the present one.
 */

import { seatName } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { gettext, gettextNodes, ngettext, numberText, pgettext } from "../language/texts.js";
import { ExercisePage } from "../learn/exercise_page.js";
import { playSound } from "../sound.js";
import { announce, answerOrToast } from "../toasts.js";
import { taskText } from "./puzzle_task.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { StormPlayed, StormPuzzle, StormStanding } from "../protocol.js" */
/** @import { PreparedLine } from "../learn/line_board.js" */

/** Pause before the opponent's answer. */
const PAUSE_MS = 250;
const TICK_MS = 100;
/** Shown before the start; the server says how long a storm lasts. */
const DURATION_MS = 180_000;
/** The time is shown as urgent below this. */
const URGENT_MS = 10_000;

/** @typedef {{ puzzle: StormPuzzle, line: Promise<PreparedLine | null> }} Prepared */

export class StormPage extends ExercisePage {
  /** The present puzzle, and the next one. @type {Prepared[]} */
  #queue = [];
  /** The moves of both sides in the present puzzle. @type {string[]} */
  #moves = [];
  /** @type {StormPuzzle[]} */
  #missed = [];
  #endsAt = 0;
  #isRunning = false;
  #time = element("strong", { class: "puzzle-rating storm-time", role: "timer", "aria-label": gettext("Time left") });
  #score = element("strong", { class: "puzzle-rating storm-score" }, numberText(0));
  #combo = element("span", { class: "note" });
  #news = element("span", { class: "storm-news", role: "status" });
  #text = element("p", { class: "note" });
  #missedList = element("p", { class: "storm-missed" });
  #bests = element("p", {});

  /** @param {Connection} connection @param {string} game From the address. */
  constructor(connection, game) {
    super(connection, game, gettext("Storm"), "puzzles-page storm-page");
    const clock = element("section", { class: "card puzzle-record storm-clock", "aria-label": gettext("Storm") }, this.#time, element("span", {}, ...gettextNodes("{score} solved", { score: this.#score })), this.#combo, this.#news);
    const card = element("section", { class: "card step-card", "aria-label": gettext("Puzzle") }, this.mover, this.task, this.#text, this.hands.element, this.board.choices, this.#missedList, this.buttons);
    const record = element("section", { class: "card puzzle-record", "aria-label": gettext("Your storms") }, this.#bests);
    this.side.append(clock, card, record, element("p", {}, element("a", { href: `/puzzles/${game}` }, gettext("Puzzles"))));
  }

  /** @override */
  async begin() {
    if (this.#isRunning) return;
    if (!this.gameInfo?.puzzles) return this.showInstead(element("p", { class: "notice" }, gettext("This server has no puzzles.")));
    this.element.hidden = false;
    this.task.textContent = gettext("Storm");
    this.#text.textContent = gettext("Solve as many puzzles as you can in three minutes. Right moves in a row win time: 5 of them 3 seconds, 12 of them 5, 20 of them 7, and then every 10 more 10. A wrong move costs 10 seconds.");
    this.#showTime(DURATION_MS);
    this.#showButton(pgettext("to begin an exercise", "Start"));
    this.#bests.parentElement?.toggleAttribute("hidden", true);
    await this.board.start({ game: this.game, setup: this.gameInfo.showcase ?? "" });
  }

  async #start() {
    const begun = await answerOrToast(this.connection.ask({ type: "start_storm", game: this.game }));
    if (begun === null) return;
    this.#missed = [];
    this.#missedList.replaceChildren();
    this.#isRunning = true;
    this.#queue = begun.puzzles.map((puzzle) => this.#prepare(puzzle));
    this.#endsAt = performance.now() + begun.left_ms;
    this.#showStanding(begun.you);
    this.#text.textContent = "";
    this.#news.textContent = "";
    this.buttons.replaceChildren();
    clearInterval(this.timer);
    this.timer = setInterval(() => this.#tick(), TICK_MS);
    await this.#showPuzzle();
  }

  /** @param {StormPuzzle} puzzle @returns {Prepared} */
  #prepare(puzzle) {
    return { puzzle, line: this.board.prepare(puzzle.line) };
  }

  /** Show the first puzzle of the queue. */
  async #showPuzzle() {
    const [{ puzzle, line }] = this.#queue;
    this.#moves = [];
    const prepared = await line;
    if (prepared === null || puzzle !== this.#queue[0].puzzle || !this.#isRunning) return;
    this.board.showsTerritory = puzzle.about_territory;
    this.board.isOpen = true;
    this.board.show(prepared);
    this.element.dataset.puzzle = puzzle.puzzle;
    this.showMover(puzzle.seat);
    this.task.textContent = taskText({ game: this.game, wording: puzzle.wording });
    announce(`${gettext("{player} to move", { player: seatName(this.gameInfo, puzzle.seat) })}. ${this.task.textContent}`);
  }

  /** @override @param {string} move */
  async played(move) {
    if (!this.#isRunning) return;
    const { puzzle } = this.#queue[0];
    this.#moves.push(move);
    const played = await answerOrToast(this.connection.ask({ type: "play_storm", game: this.game, number: puzzle.number, moves: this.#moves }));
    if (!this.#isRunning) return;
    if (played === null) return this.#again();
    this.#showStanding(played.you);
    if (played.over) return this.#finish();
    this.#endsAt = performance.now() + played.left_ms;
    this.#showNews(played);
    if (!played.right) this.#missed.push(puzzle);
    if (played.next !== null) {
      this.#queue = [...this.#queue.slice(1), this.#prepare(played.next)];
      return this.#showPuzzle();
    }
    this.#moves.push(played.reply);
    setTimeout(() => this.reply(played.reply, () => this.#isRunning && puzzle === this.#queue[0].puzzle), PAUSE_MS);
  }

  /** Take back a move that the server could not judge. */
  #again() {
    this.#moves.pop();
    this.board.isOpen = true;
    this.board.back();
  }

  /** @param {StormPlayed} played */
  #showNews({ right, change_ms }) {
    const seconds = numberText(Math.abs(change_ms) / 1000);
    playSound(right ? "right" : "wrong", this.board.shape);
    this.#news.dataset.right = String(right);
    this.#news.textContent = change_ms === 0 ? "" : right ? gettext("+{seconds} s", { seconds }) : gettext("Wrong: −{seconds} s", { seconds });
  }

  /** @param {StormStanding} you */
  #showStanding({ score, combo, best, best_today }) {
    this.#score.textContent = numberText(score);
    this.#combo.textContent = combo === 0 ? "" : ngettext("{count} right move in a row", "{count} right moves in a row", combo);
    this.#bests.textContent = gettext("Best today: {today} · best ever: {best}", { today: best_today, best });
    this.#bests.parentElement?.toggleAttribute("hidden", false);
  }

  #tick() {
    const left_ms = Math.max(0, this.#endsAt - performance.now());
    this.#showTime(left_ms);
    if (left_ms === 0) this.#finish();
  }

  /** @param {number} left_ms */
  #showTime(left_ms) {
    const seconds = Math.ceil(left_ms / 1000);
    this.#time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.#time.dataset.urgent = String(left_ms < URGENT_MS);
  }

  #finish() {
    if (!this.#isRunning) return;
    this.#isRunning = false;
    clearInterval(this.timer);
    this.#showTime(0);
    this.board.isOpen = false;
    this.board.refresh();
    playSound("end", this.board.shape);
    this.mover.replaceChildren();
    this.task.textContent = gettext("Time is up.");
    this.#text.textContent = this.#missed.length === 0 ? "" : gettext("Look at the puzzles that you missed:");
    this.#missedList.replaceChildren(...this.#missed.flatMap(({ number, puzzle }) => [element("a", { href: `/puzzles/${this.game}/${puzzle}` }, gettext("puzzle {number}", { number })), " "]));
    this.#showButton(gettext("Play again"));
    announce(`${gettext("Time is up.")} ${gettext("{score} solved", { score: this.#score.textContent ?? "" })}`);
  }

  /** @param {string} label */
  #showButton(label) {
    this.buttons.replaceChildren(button(label, () => this.#start(), { class: "button primary" }));
  }
}
