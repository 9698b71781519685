/**
 * The reader's own mistakes in reviewed matches, to be solved like puzzles: the oldest first, across matches.
 *
 * The server judges moves by the stored reviews. Only accounts have mistakes. The address names the game.
 */

import { addressOf } from "../analysis_address.js";
import { judgementName } from "../analysis/evaluation_texts.js";
import { button, element } from "../element.js";
import { gettext, ngettext } from "../language/texts.js";
import { ExercisePage } from "../learn/exercise_page.js";
import { announce, answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Mistake, MistakeTried } from "../protocol.js" */

/** @typedef {"asked" | "judging" | "right" | "wrong" | "shown"} Stage */

export class MistakesPage extends ExercisePage {
  /** @type {Mistake | null} */
  #mistake = null;
  #left = element("p", { class: "note" });

  /** @param {Connection} connection @param {string} game From the address. */
  constructor(connection, game) {
    super(connection, game, gettext("Your mistakes"));
    const card = element("section", { class: "card step-card", "aria-label": this.title }, this.mover, this.task, this.#left, this.hands.element, this.board.choices, this.answer, this.buttons);
    this.side.append(card, element("p", {}, element("a", { href: `/puzzles/${game}` }, gettext("Puzzles"))));
    this.task.textContent = this.title;
  }

  /** @override */
  async begin() {
    // After a reconnection the present one stays.
    if (this.#mistake === null) await this.#next();
  }

  async #next() {
    const posed = await answerOrToast(this.connection.ask({ type: "get_mistake", game: this.game }));
    this.element.hidden = false;
    if (posed === null) return;
    const { mistake } = posed;
    this.#mistake = mistake;
    this.#showLeft(posed.left);
    if (mistake === null) return this.#showNone();
    this.board.isOpen = true;
    const told = await this.board.start(mistake.line);
    if (told === null || mistake !== this.#mistake) return;
    this.showMover(mistake.seat);
    this.task.textContent = gettext("You played {move} ({judgement}). Find a better move.", { move: mistake.move, judgement: judgementName(mistake.judgement) });
    this.#show("asked", "");
    announce(`${this.mover.textContent} ${this.task.textContent}`);
  }

  async #showNone() {
    this.mover.replaceChildren();
    this.task.textContent = gettext("No mistakes are left.");
    this.#left.textContent = gettext("Request the analysis of your matches: big mistakes come back here, until you find the better move.");
    this.answer.hidden = true;
    this.buttons.replaceChildren();
    this.board.isOpen = false;
    await this.board.start({ game: this.game, setup: this.gameInfo?.showcase ?? "" });
  }

  /** @override @param {string} move A move text, or nothing to be shown the better move. */
  async played(move) {
    const mistake = this.#mistake;
    if (mistake === null) return;
    this.#show("judging", "");
    const { match, ply } = mistake;
    const tried = await answerOrToast(this.connection.ask({ type: "try_mistake", game: this.game, match, ply, move }));
    if (mistake !== this.#mistake) return;
    if (tried === null) return this.#again();
    this.#showLeft(tried.left);
    if (tried.verdict === "best") return this.#finish(move);
    if (tried.verdict === "shown") return this.#showBest(tried);
    this.#show("wrong", tried.verdict === "repeated" ? gettext("You played {move} in the match. There is a better move.", { move }) : gettext("The analysis has not compared {move}. It prefers another move.", { move }));
  }

  /** @param {string} move */
  #finish(move) {
    this.#show("right", gettext("{move} is correct!", { move }));
  }

  /** @param {MistakeTried} tried */
  async #showBest({ best }) {
    this.board.isOpen = false;
    this.board.backTo(this.#mistake?.ply ?? 0);
    this.#show("shown", gettext("The engine would play {answer}.", { answer: best[0] }));
    await this.board.advance(best[0]);
  }

  /** Go back to the position before the mistake. */
  #again() {
    this.goBackTo(this.#mistake?.ply ?? 0);
    this.#show("asked", "");
  }

  /** @param {number} left */
  #showLeft(left) {
    this.#left.textContent = ngettext("{count} mistake is left.", "{count} mistakes are left.", left);
  }

  /** @param {Stage} stage @param {string} words */
  #show(stage, words) {
    this.say(stage, words);
    const isOver = stage === "right" || stage === "shown";
    const { match = "", ply = 0 } = this.#mistake ?? {};
    this.buttons.replaceChildren(
      ...(isOver ? [button(gettext("Next mistake"), () => this.#next(), { class: "button primary" })] : []),
      ...(stage === "wrong" ? [button(gettext("Try again"), () => this.#again(), { class: "button primary" })] : []),
      ...(isOver ? [element("a", { class: "button quiet", href: addressOf({ match }, ply, []) }, gettext("Analyse"))] : [button(gettext("Show the move"), () => this.played(""), { class: "button quiet" })]),
    );
  }
}
