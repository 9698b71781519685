/**
 * Endings: solved positions to win or to hold, against the most stubborn defence.
 *
 * The server draws them, judges each move by its tables, and answers. The address names the game.
 */

import { addressOf } from "../analysis_address.js";
import { button, element } from "../element.js";
import { gettext, later, listText, ngettext, percentText } from "../language/texts.js";
import { ExercisePage } from "../learn/exercise_page.js";
import { announce, answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { EndingGoal, EndingPlayed, EndingPosed, EndingStanding } from "../protocol.js" */

/** Pause between two moves. */
const PAUSE_MS = 700;
/** Moves that are named after a mistake. */
const MOST_NAMED = 3;
/** @type {[EndingGoal, string][]} */
const GOALS = [
  ["any", later("Win or draw")],
  ["win", later("Win")],
  ["draw", later("Hold the draw")],
];

/** @typedef {"asked" | "judging" | "right" | "wrong" | "solved"} Stage */

export class EndingsPage extends ExercisePage {
  /** @type {EndingGoal} */
  #goal = "any";
  /** @type {EndingPosed | null} */
  #posed = null;
  /** The moves of both sides so far. @type {string[]} */
  #moves = [];
  #goals = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Kind of endings") });
  #facts = element("p", { class: "note puzzle-facts" });
  #rating = element("strong", { class: "puzzle-rating" });
  #counts = element("span", { class: "note" });

  /** @param {Connection} connection @param {string} game From the address. */
  constructor(connection, game) {
    super(connection, game, gettext("Endings"));
    const card = element("section", { class: "card step-card", "aria-label": gettext("Ending") }, this.mover, this.task, this.#facts, this.board.choices, this.answer, this.buttons);
    const record = element("section", { class: "card puzzle-record", "aria-label": gettext("Your endings") }, element("p", {}, gettext("Your rating"), " ", this.#rating, " ", this.#counts));
    this.side.append(this.#goals, card, record, element("p", {}, element("a", { href: `/puzzles/${game}` }, gettext("Puzzles"))));
  }

  /** @override */
  begin() {
    if (this.gameInfo?.has_endings) return void this.#next(false);
    this.showInstead(element("h1", {}, this.title), element("p", { class: "notice" }, gettext("No endings of this game are solved.")));
  }

  /** @param {EndingGoal} goal */
  #chooseGoal(goal) {
    this.#goal = goal;
    this.#next(false);
  }

  /** @param {boolean} fresh Whether to leave an ending that is not over. */
  async #next(fresh) {
    clearTimeout(this.timer);
    this.#showGoals();
    const asked = this.connection.ask({ type: "get_ending", game: this.game, goal: this.#goal, fresh });
    const posed = await asked.catch((/** @type {Error} */ { message }) => message);
    this.element.hidden = false;
    if (typeof posed === "string") return this.#showNone(posed);
    this.#posed = posed;
    this.#moves = [...(posed.line.moves ?? [])];
    this.board.isOpen = true;
    this.board.advised = [];
    if ((await this.board.start(posed.line)) === null || posed !== this.#posed) return;
    this.showMover(posed.seat);
    this.task.textContent = taskText(posed);
    this.#facts.textContent = factsText(posed);
    this.#showStanding(posed.you);
    this.#show("asked", "");
    announce(`${this.mover.textContent} ${taskText(posed)}`);
  }

  /** There is no ending, as while a new server still solves them. @param {string} why */
  #showNone(why) {
    if (this.#posed !== null) return this.#show("asked", why);
    const again = element("a", { class: "button primary", href: `/puzzles/${this.game}` }, gettext("Puzzles"));
    this.showInstead(element("h1", {}, this.title), element("div", { class: "notice" }, element("p", {}, why), again));
  }

  #showGoals() {
    this.#goals.replaceChildren(...GOALS.map(([goal, title]) => button(gettext(title), () => this.#chooseGoal(goal), { "aria-pressed": String(goal === this.#goal) })));
  }

  /** @param {EndingStanding} you */
  #showStanding({ rating, provisional, solved, attempts }) {
    this.#rating.textContent = `${rating}${provisional ? "?" : ""}`;
    this.#counts.textContent = gettext("{solved} of {attempts} without a mistake", { solved, attempts });
  }

  /** @override @param {string} move */
  async played(move) {
    const posed = this.#posed;
    if (posed === null) return;
    this.#show("judging", "");
    this.board.advised = [];
    const played = await answerOrToast(this.connection.ask({ type: "play_ending", game: posed.game, ply: this.#moves.length, move }));
    if (posed !== this.#posed) return;
    if (played === null) return this.#retry();
    this.#showStanding(played.you);
    if (!played.kept) return this.#fail(posed, played);
    this.#moves.push(played.move, ...(played.reply === "" ? [] : [played.reply]));
    this.#show(played.solved ? "solved" : "right", [keptText(posed, played), changeText(played)].join(" ").trim());
    if (played.reply !== "") this.timer = setTimeout(() => this.reply(played.reply, () => posed === this.#posed && !played.solved), PAUSE_MS);
  }

  /**
   * Play what a mistake allows, and say what would have kept the result.
   * @param {EndingPosed} posed
   * @param {EndingPlayed} played
   */
  #fail(posed, played) {
    this.#show("wrong", [mistakeText(posed, played), changeText(played)].join(" ").trim());
    if (played.reply !== "") this.timer = setTimeout(() => this.#refute(posed, played.reply), PAUSE_MS);
  }

  /** @param {EndingPosed} posed @param {string} reply */
  async #refute(posed, reply) {
    await this.board.advance(reply);
    // The reader may have gone back meanwhile.
    if (posed === this.#posed && this.answer.dataset.stage !== "wrong") this.board.backTo(this.#moves.length);
  }

  /** Go back to the position before the mistake. */
  #retry() {
    this.goBackTo(this.#moves.length);
    this.#show("asked", "");
  }

  /** @param {Stage} stage @param {string} words */
  #show(stage, words) {
    this.say(stage, words);
    const isOver = stage === "solved";
    const setup = this.#posed?.line.setup ?? "";
    this.buttons.replaceChildren(
      ...(stage === "wrong" ? [button(gettext("Try again"), () => this.#retry(), { class: "button primary" })] : []),
      ...(isOver || stage === "wrong" ? [element("a", { class: "button quiet", href: addressOf({ game: this.game, setup }, this.#moves.length, this.#moves) }, gettext("Analyse"))] : []),
      button(gettext("New ending"), () => this.#next(true), { class: isOver ? "button primary" : "button quiet" }),
    );
  }
}

/** @param {EndingPosed} posed */
function taskText({ goal, moves }) {
  if (goal === "win") return gettext("Win against the most stubborn defence.");
  return ngettext("Hold the draw for {count} move.", "Hold the draw for {count} moves.", moves ?? 0);
}

/** @param {EndingPosed} posed */
function factsText({ goal, moves, mistakes, rating, counted }) {
  const facts = [
    gettext("Rated {rating}", { rating }),
    ...(goal === "win" ? [ngettext("won in {count} move at best", "won in {count} moves at best", moves ?? 0)] : []),
    gettext("{share} of the moves are mistakes", { share: percentText(mistakes) }),
    ...(counted ? [gettext("tried before, does not count")] : []),
  ];
  return facts.join(" · ");
}

/** @param {EndingPosed} posed @param {EndingPlayed} played */
function keptText({ goal }, { solved, moves }) {
  if (solved) return gettext("Solved.");
  const kept = goal === "win" ? gettext("Still won.") : gettext("Still a draw.");
  return moves === null ? kept : `${kept} ${ngettext("{count} move to go.", "{count} moves to go.", moves)}`;
}

/** @param {EndingPosed} posed @param {EndingPlayed} played */
function mistakeText({ goal }, { move, reached, keeping }) {
  const moves = listText(keeping.slice(0, MOST_NAMED));
  return [
    reached < 0 ? gettext("{move} loses.", { move }) : gettext("{move} only draws.", { move }),
    goal === "win" ? gettext("These moves keep the win: {moves}.", { moves }) : gettext("These moves keep the draw: {moves}.", { moves }),
  ].join(" ");
}

/** @param {EndingPlayed} played */
function changeText({ change, you }) {
  if (change === 0) return "";
  return gettext("Your rating: {rating} ({change}).", { rating: you.rating, change: `${change > 0 ? "+" : "−"}${Math.abs(change)}` });
}
