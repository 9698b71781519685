/**
 * Puzzles: one after another near the reader's rating, the puzzle of the day, or a streak.
 *
 * The server poses them and checks each move. The address names the game and, optionally, a puzzle.
 */

import { dateText } from "../dates.js";
import { addressOf } from "../analysis_address.js";
import { seatName } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext, ngettext } from "../language/texts.js";
import { ExercisePage } from "../learn/exercise_page.js";
import { recall, remember } from "../storage.js";
import { announce, answerOrToast } from "../toasts.js";
import { PuzzleChoices } from "./puzzle_choices.js";
import { taskText } from "./puzzle_task.js";
import { PuzzleRecord } from "./puzzle_record.js";
import { ThemePaths } from "./theme_paths.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Explored, PuzzleMode, PuzzlePosed, PuzzleTried } from "../protocol.js" */

const GAME_KEY = "millrace.game";
/** Pause between two moves. */
const PAUSE_MS = 700;
const CELL = /[a-z]+\d+/g;

/** @typedef {"asked" | "judging" | "right" | "wrong" | "shown" | "solved"} Stage */

export class PuzzlesPage extends ExercisePage {
  /** @type {PuzzleMode} */
  #mode = "rated";
  #theme = "";
  /** @type {PuzzlePosed | null} */
  #posed = null;
  /** The moves of both sides so far. @type {string[]} */
  #moves = [];
  /** Counts the questions for a puzzle; only the answer to the latest is shown. */
  #asked = 0;
  /** Whether the puzzle is solved, or its solution is shown. */
  #isOver = false;
  /** @type {Stage} */
  #stage = "asked";
  /** Known after a mistake or a hint. @type {readonly string[]} */
  #solution = [];
  /** Whether the piece to move has been shown. */
  #isHinted = false;
  /** The moves of the solution that are shown. */
  #shown = 0;
  #record = new PuzzleRecord();
  #choices;
  #themes = new ThemePaths((theme) => this.#chooseTheme(theme));
  #facts = element("p", { class: "note puzzle-facts" });
  #about = element("p", { class: "note puzzle-themes", hidden: true });

  /** @param {Connection} connection @param {string} place `GAME` or `GAME/PUZZLE`, from the address. */
  constructor(connection, place) {
    const [game, wanted = ""] = place.split("/");
    super(connection, game, gettext("Puzzles"));
    this.wanted = wanted;
    this.#choices = new PuzzleChoices(connection, (chosen) => this.#chooseGame(chosen), (mode) => this.#chooseMode(mode));
    const card = element("section", { class: "card step-card", "aria-label": gettext("Puzzle") }, this.mover, this.task, this.#facts, this.hands.element, this.board.choices, this.answer, this.#about, this.buttons);
    this.side.append(this.#choices.modes, card, this.#choices.games, this.#record.element, this.#themes.element);
  }

  /** @override */
  begin() {
    const games = this.#choices.offered;
    if (games.length === 0) return this.showInstead(element("p", { class: "notice" }, gettext("This server has no puzzles.")));
    const named = games.find(({ name }) => name === this.game) ?? games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];
    this.game = named.name;
    this.#next();
  }

  /** @param {string} game */
  #chooseGame(game) {
    this.game = game;
    this.#theme = "";
    remember(GAME_KEY, game);
    if (this.#mode === "daily") this.#mode = "rated";
    this.#next();
  }

  /** @param {PuzzleMode} mode */
  #chooseMode(mode) {
    this.#mode = mode;
    this.#next();
  }

  /** @param {string} theme */
  #chooseTheme(theme) {
    this.#theme = theme;
    this.#next();
  }

  /** Ask for a puzzle, and show it. */
  async #next() {
    clearTimeout(this.timer);
    const asked = (this.#asked += 1);
    const [mode, puzzle] = [this.#mode, this.wanted];
    this.wanted = "";
    const theme = mode === "rated" ? this.#theme : "";
    const posed = await answerOrToast(this.connection.ask({ type: "get_puzzle", game: this.game, mode, theme, puzzle }));
    // Shown with the first puzzle or a refusal, so that nothing moves afterwards.
    if (posed === null) this.element.hidden = false;
    if (posed === null || asked !== this.#asked) return;
    this.game = posed.game;
    this.#posed = posed;
    this.#moves = [];
    this.#solution = [];
    this.#isOver = this.#isHinted = false;
    this.board.advised = [];
    this.board.showsTerritory = posed.about_territory ?? false;
    this.board.isOpen = true;
    const told = await this.board.start(posed.line);
    if (told === null || posed !== this.#posed) return;
    history.replaceState(null, "", `/puzzles/${posed.game}/${posed.puzzle}`);
    this.#choices.show(this.game, this.#mode);
    this.#showPuzzle(posed);
    this.element.hidden = false;
    this.#show("asked", "");
    announce(`${gettext("{player} to move", { player: seatName(this.gameInfo, posed.seat) })}. ${taskText(posed)}`);
    this.#readHistory();
  }

  /** @param {PuzzlePosed} posed */
  #showPuzzle(posed) {
    this.showMover(posed.seat);
    this.task.textContent = taskText(posed);
    const facts = [
      ...(posed.day === "" ? [] : [dateText(Date.parse(posed.day))]),
      gettext("Rated {rating}", { rating: posed.rating }),
      ngettext("{count} move to find", "{count} moves to find", posed.moves),
      ...(posed.tried ? [gettext("tried before, does not count")] : []),
    ];
    this.#facts.textContent = facts.join(" · ");
    this.#about.hidden = true;
  }

  async #readHistory() {
    const { game } = this;
    const told = await answerOrToast(this.connection.ask({ type: "get_puzzle_history", game }));
    if (told === null || game !== this.game) return;
    this.#record.show(told);
    this.#themes.show(told, this.#theme);
    this.#themes.element.hidden = this.#mode !== "rated";
  }

  /** @override @param {string} move @param {Explored} told */
  async played(move, told) {
    const posed = this.#posed;
    if (posed === null) return;
    this.#show("judging", "");
    this.#isHinted = false;
    this.board.advised = [];
    this.#moves.push(move);
    const { game, puzzle, mode } = posed;
    const tried = await answerOrToast(this.connection.ask({ type: "try_puzzle", game, puzzle, mode, moves: this.#moves }));
    if (posed !== this.#posed) return;
    if (tried === null) return this.#again();
    if (!tried.right) return this.#fail(posed, tried);
    if (tried.solved) return this.#finish(tried, told);
    this.#show("right", gettext("Correct. Keep going."));
    this.#moves.push(tried.reply);
    this.timer = setTimeout(() => this.reply(tried.reply, () => posed === this.#posed), PAUSE_MS);
  }

  /** Take back a move that the server could not judge. */
  #again() {
    this.#moves.pop();
    this.board.isOpen = true;
    this.board.back();
    this.#show("asked", "");
  }

  /** @param {PuzzleTried} tried @param {Explored} told */
  #finish(tried, told) {
    this.#isOver = true;
    this.#show("solved", [gettext("Solved."), ...(told.explanation === "" ? [] : [gettext("The match is over: {reason}.", { reason: gameText({ name: this.game }, told.explanation) })]), changeText(tried)].join(" "));
    this.#showAbout(tried);
    this.#readHistory();
  }

  /**
   * Play the opponent's answer to a wrong move, and say why the move fails.
   * @param {PuzzlePosed} posed
   * @param {PuzzleTried} tried
   */
  #fail(posed, tried) {
    this.#solution = tried.solution;
    this.#moves.pop();
    this.#show("wrong", [missText(posed.game, tried), changeText(tried)].join(" ").trim());
    if (tried.reply !== "") this.timer = setTimeout(() => this.#refute(posed, tried.reply), PAUSE_MS);
    this.#readHistory();
  }

  /** @param {PuzzlePosed} posed @param {string} reply */
  async #refute(posed, reply) {
    await this.board.advance(reply);
    // The reader may have gone back meanwhile.
    if (posed === this.#posed && this.#stage !== "wrong") this.board.backTo(this.#moves.length);
  }

  /** Go back to the position before the wrong move. */
  #retry() {
    this.goBackTo(this.#moves.length);
    this.#show("asked", "");
  }

  /** Say first which piece moves, then where it goes. */
  async #hint() {
    const change = await this.#reveal();
    if (change === null) return;
    if (this.#stage === "wrong") this.#retry();
    const move = this.#solution[this.#moves.length];
    const cells = move.match(CELL) ?? [];
    const isFirst = cells.length > 1 && !this.#isHinted;
    this.#isHinted = true;
    this.board.advised = isFirst ? cells.slice(0, 1) : cells;
    this.board.refresh();
    const words = isFirst ? gettext("Move the piece on {cell}.", { cell: cells[0] ?? "" }) : gettext("The move is {move}.", { move });
    this.#show("asked", `${words} ${change}`.trim());
  }

  /** Learn the solution. @returns {Promise<string | null>} What that changed, in words; null if it failed. */
  async #reveal() {
    const posed = this.#posed;
    if (posed === null || this.#isOver || this.#stage === "judging") return null;
    if (this.#solution.length > 0) return "";
    const { game, puzzle, mode } = posed;
    const tried = await answerOrToast(this.connection.ask({ type: "give_up_puzzle", game, puzzle, mode }));
    if (tried === null || posed !== this.#posed) return null;
    this.#solution = tried.solution;
    this.#showAbout(tried);
    this.#readHistory();
    return changeText(tried);
  }

  async #showSolution() {
    const change = await this.#reveal();
    if (change === null) return;
    clearTimeout(this.timer);
    this.#isOver = true;
    this.board.isOpen = false;
    this.board.advised = [];
    await this.#showStep(1, change);
  }

  /** @param {number} count How many moves of the solution are on the board. @param {string} [change] */
  async #showStep(count, change = "") {
    const [posed, solution] = [this.#posed, this.#solution];
    this.#shown = count;
    this.#show("shown", gettext("Solution, move {number} of {count}: {move}.", { number: count, count: solution.length, move: solution[count - 1] }) + (change && ` ${change}`));
    this.board.backTo(count - 1);
    if (posed === this.#posed) await this.board.advance(solution[count - 1]);
  }

  /** @param {PuzzleTried} tried */
  #showAbout({ themes }) {
    this.#about.hidden = themes.length === 0;
    this.#about.textContent = themes.map(({ title }) => gameText({ name: this.game }, title)).join(" · ");
  }

  /** @param {Stage} stage @param {string} words */
  #show(stage, words) {
    this.#stage = stage;
    this.say(stage, words);
    const isBroken = this.#mode === "streak" && this.#solution.length > 0;
    const label = this.#mode === "daily" ? gettext("More puzzles") : isBroken ? gettext("New streak") : gettext("Next puzzle");
    const next = button(label, () => (this.#mode === "daily" ? this.#chooseMode("rated") : this.#next()), { class: this.#isOver ? "button primary" : "button quiet" });
    this.buttons.replaceChildren(...this.#buttonsOf(stage), ...(this.#isOver || this.#solution.length > 0 ? [next] : []));
  }

  /** @param {Stage} stage */
  #buttonsOf(stage) {
    const [count, last] = [this.#shown, this.#solution.length];
    const steps = [
      button(gettext("Back"), () => this.#showStep(count - 1), { class: "button quiet", disabled: count <= 1 }),
      button(gettext("Next move"), () => this.#showStep(count + 1), { class: "button quiet", disabled: count >= last }),
    ];
    if (this.#isOver) {
      const analyse = element("a", { class: "button quiet", href: addressOf({ game: this.game, setup: this.#posed?.line.setup ?? "" }, 0, []) }, gettext("Analyse"));
      return [...(stage === "shown" && last > 1 ? steps : []), analyse];
    }
    return [
      ...(stage === "wrong" ? [button(gettext("Try again"), () => this.#retry(), { class: "button primary" })] : []),
      button(gettext("Hint"), () => this.#hint(), { class: "button quiet", title: this.#solution.length > 0 ? "" : gettext("The puzzle then counts as not solved.") }),
      button(gettext("Show the solution"), () => this.#showSolution(), { class: "button quiet" }),
    ];
  }
}

/** @param {string} game @param {PuzzleTried} tried */
function missText(game, { why = "", wording }) {
  return wording ? gameText({ name: game }, wording.message, wording.values) : why;
}

/** @param {PuzzleTried} tried */
function changeText({ counted, change, you }) {
  if (!counted) return "";
  if (change === 0) return you.streak > 0 ? gettext("Your streak: {streak}.", { streak: you.streak }) : "";
  return gettext("Your rating: {rating} ({change}).", { rating: you.rating, change: `${change > 0 ? "+" : "−"}${Math.abs(change)}` });
}
