/**
 * A page on which puzzles follow one another against the clock, judged by the server: the base of storms and races.
 *
 * The next puzzle is prepared while the reader solves the present one.
 */

import { seatName } from "../board/seat_colours.js";
import { element } from "../element.js";
import { gettext, gettextNodes, ngettext, numberText } from "../language/texts.js";
import { ExercisePage } from "../learn/exercise_page.js";
import { playSound } from "../sound.js";
import { announce } from "../toasts.js";
import { taskText } from "./puzzle_task.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { RacePlayed, StormPlayed, StormPuzzle } from "../protocol.js" */
/** @import { PreparedLine } from "../learn/line_board.js" */

/** Pause before the opponent's answer. */
const PAUSE_MS = 250;
const TICK_MS = 100;
/** The time is shown as urgent below this. */
const URGENT_MS = 10_000;

/** @typedef {{ puzzle: StormPuzzle, line: Promise<PreparedLine | null> }} Prepared */

/** @template {StormPlayed | RacePlayed} Played */
export class RunPage extends ExercisePage {
  isRunning = false;
  /** When the time is up, by the page's clock. */
  endsAt = 0;
  /** The present puzzle, and the next one; nothing after the last. @type {Prepared[]} */
  #queue = [];
  /** The moves of both sides in the present puzzle. @type {string[]} */
  #moves = [];
  /** @type {StormPuzzle[]} */
  #missed = [];
  #time = element("strong", { class: "puzzle-rating storm-time", role: "timer", "aria-label": gettext("Time left") });
  #score = element("strong", { class: "puzzle-rating storm-score" }, numberText(0));
  #combo = element("span", { class: "note" });
  #missedList = element("p", { class: "storm-missed" });
  news = element("span", { class: "storm-news", role: "status" });
  text = element("p", { class: "note" });

  /**
   * @param {Connection} connection
   * @param {string} game
   * @param {string} title
   * @param {string} scored What the score counts, with `{score}`.
   */
  constructor(connection, game, title, scored) {
    super(connection, game, title, "puzzles-page storm-page");
    this.scored = scored;
    this.clock = element("section", { class: "card puzzle-record storm-clock", "aria-label": title }, this.#time, element("span", {}, ...gettextNodes(scored, { score: this.#score })), this.#combo, this.news);
    this.card = element("section", { class: "card step-card", "aria-label": gettext("Puzzle") }, this.mover, this.task, this.text, this.hands.element, this.board.choices, this.#missedList, this.buttons);
    this.side.append(this.clock, this.card);
  }

  /**
   * Ask the server to judge the last of some moves.
   * @param {StormPuzzle} _puzzle @param {string[]} _moves
   * @returns {Promise<Played | null>} Null if it refuses.
   */
  async judge(_puzzle, _moves) {
    return null;
  }

  /** Show what a judged move has won. @param {Played} _played */
  showNews(_played) {}

  /** The time is up. */
  finished() {}

  /**
   * Begin with the first puzzles.
   * @param {readonly StormPuzzle[]} puzzles
   * @param {number} left_ms
   * @param {string[]} [moves] Those in the first puzzle so far.
   */
  async run(puzzles, left_ms, moves = []) {
    if (!this.isRunning) this.#missed = [];
    this.#missedList.replaceChildren();
    this.isRunning = true;
    this.#queue = puzzles.map((puzzle, index) => this.#prepare(puzzle, index === 0 ? moves : []));
    this.#moves = moves;
    this.endsAt = performance.now() + left_ms;
    this.text.textContent = "";
    this.news.textContent = "";
    this.buttons.replaceChildren();
    this.startTicking();
    await this.showPuzzle();
  }

  startTicking() {
    clearInterval(this.timer);
    this.timer = setInterval(() => this.tick(), TICK_MS);
    this.tick();
  }

  /** @param {StormPuzzle} puzzle @param {string[]} [moves] @returns {Prepared} */
  #prepare(puzzle, moves = []) {
    return { puzzle, line: this.board.prepare({ ...puzzle.line, moves: [...(puzzle.line.moves ?? []), ...moves] }) };
  }

  /** Show the first puzzle of the queue. */
  async showPuzzle() {
    if (this.#queue.length === 0) return void (this.text.textContent = gettext("These were all the puzzles."));
    const [{ puzzle, line }] = this.#queue;
    const prepared = await line;
    if (prepared === null || puzzle !== this.#queue[0]?.puzzle || !this.isRunning) return;
    this.game = puzzle.line.game;
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
    if (!this.isRunning) return;
    const { puzzle } = this.#queue[0];
    this.#moves.push(move);
    const played = await this.judge(puzzle, this.#moves);
    if (!this.isRunning) return;
    if (played === null) return this.#again();
    this.showScore(played.you);
    if (played.over) return this.finish();
    this.endsAt = performance.now() + played.left_ms;
    playSound(played.right ? "right" : "wrong", this.board.shape);
    this.news.dataset.right = String(played.right);
    this.showNews(played);
    if (!played.right) this.#missed.push(puzzle);
    if (played.reply === "") {
      this.#queue = [...this.#queue.slice(1), ...(played.next === null ? [] : [this.#prepare(played.next)])];
      this.#moves = [];
      return this.showPuzzle();
    }
    this.#moves.push(played.reply);
    setTimeout(() => this.reply(played.reply, () => this.isRunning && puzzle === this.#queue[0]?.puzzle), PAUSE_MS);
  }

  /** Take back a move that the server could not judge. */
  #again() {
    this.#moves.pop();
    this.board.isOpen = true;
    this.board.back();
  }

  /** @param {{ score: number, combo: number }} you */
  showScore({ score, combo }) {
    this.#score.textContent = numberText(score);
    this.#combo.textContent = combo === 0 ? "" : ngettext("{count} right move in a row", "{count} right moves in a row", combo);
  }

  tick() {
    const left_ms = Math.max(0, this.endsAt - performance.now());
    this.showTime(left_ms);
    if (left_ms === 0) this.finish();
  }

  /** @param {number} left_ms */
  showTime(left_ms) {
    const seconds = Math.ceil(left_ms / 1000);
    this.#time.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    this.#time.dataset.urgent = String(left_ms < URGENT_MS);
  }

  finish() {
    clearInterval(this.timer);
    this.showTime(0);
    if (!this.isRunning) return;
    this.isRunning = false;
    this.board.isOpen = false;
    this.board.refresh();
    playSound("end", this.board.shape);
    this.mover.replaceChildren();
    this.task.textContent = gettext("Time is up.");
    this.text.textContent = this.#missed.length === 0 ? "" : gettext("Look at the puzzles that you missed:");
    this.#missedList.replaceChildren(...this.#missed.flatMap(({ number, puzzle, line }) => [element("a", { href: `/puzzles/${line.game}/${puzzle}` }, gettext("puzzle {number}", { number })), " "]));
    this.finished();
    announce(`${gettext("Time is up.")} ${gettext(this.scored, { score: this.#score.textContent ?? "" })}`);
  }
}
