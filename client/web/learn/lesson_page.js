/**
 * The lesson of a game: positions on the real board, each with something to know and a move to find.
 *
 * The server lists the moves that each step accepts.
 */

import { button, element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";
import { NotFoundPage } from "../not_found_page.js";
import { announce, answerOrToast } from "../toasts.js";
import { ExercisePage } from "./exercise_page.js";
import { doneSteps, markDone } from "./lesson_progress.js";
import { rulesList } from "./rules_list.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Explored, Lesson, LessonStep } from "../protocol.js" */

/** How long the reader sees their own move before the opponent answers, or before it is taken back. */
const PAUSE_MS = 900;

/** @typedef {"asked" | "right" | "wrong"} Stage */

export class LessonPage extends ExercisePage {
  /** @type {Lesson | null} */
  #lesson = null;
  #at = 0;
  #title = element("h1", { class: "step-title" });
  #count = element("p", { class: "note step-count" });
  #text = element("p", { class: "step-text" });
  #dots = element("ol", { class: "step-dots", "aria-label": gettext("Steps") });
  #rules = element("details", { class: "position-box" }, element("summary", {}, gettext("The rules on one screen")));

  /** @param {Connection} connection @param {string} game */
  constructor(connection, game) {
    super(connection, game, gettext("Lesson"), "");
    const card = element("section", { class: "card step-card", "aria-label": this.title }, this.#count, this.#title, this.#text, this.hands.element, this.board.choices, this.answer, this.buttons);
    this.side.append(card, this.#dots, this.#rules);
  }

  /** @override */
  async begin() {
    if (!this.gameInfo?.has_lesson) return this.showInstead(new NotFoundPage().element);
    document.title = `${gettext("Learn {game}", { game: this.gameInfo.title })} · Millrace`;
    this.#lesson = await answerOrToast(this.connection.ask({ type: "get_lesson", game: this.game }));
    if (this.#lesson === null) return;
    this.#rules.append(rulesList(this.#lesson.rules, this.gameInfo));
    const done = doneSteps(this.game);
    const first = this.#lesson.steps.findIndex((_, index) => !done.has(index));
    this.#go(Math.max(0, first));
  }

  /** @param {string} text A text of the game. */
  #say(text) {
    return gameText(this.gameInfo, text);
  }

  /** @returns {LessonStep} */
  get #step() {
    return /** @type {Lesson} */ (this.#lesson).steps[this.#at];
  }

  /** @param {number} at The index of the step to show. */
  async #go(at) {
    clearTimeout(this.timer);
    this.#at = at;
    const step = this.#step;
    this.board.isOpen = true;
    const told = await this.board.start(step.line);
    if (told === null || step !== this.#step) return;
    this.#show("asked");
    announce(`${this.#say(step.title)}. ${this.#say(step.text)}`);
  }

  /** @override @param {string} move @param {Explored} told */
  played(move, told) {
    const step = this.#step;
    const isRight = step.accepted.includes(move);
    this.#show(isRight ? "right" : "wrong");
    if (!isRight) {
      this.timer = setTimeout(() => this.#again(), PAUSE_MS);
      return;
    }
    markDone(this.game, this.#at);
    this.#show("right");
    if (step.reply !== "" && told.to_move !== null) this.timer = setTimeout(() => this.board.advance(step.reply), PAUSE_MS);
  }

  /** Take the wrong move back, and let the reader try again. */
  #again() {
    this.board.isOpen = true;
    this.board.back();
  }

  /** @param {Stage} stage */
  #show(stage) {
    this.element.hidden = false;
    const { title, text, right, wrong } = this.#step;
    const { steps } = /** @type {Lesson} */ (this.#lesson);
    this.#count.textContent = gettext("{game} · step {number} of {count}", { game: this.gameInfo?.title ?? "", number: this.#at + 1, count: steps.length });
    this.#title.textContent = this.#say(title);
    this.#text.textContent = this.#say(text);
    this.say(stage, this.#say(stage === "right" ? right : stage === "wrong" ? wrong : ""));
    this.#showButtons(stage);
    this.#showDots();
  }

  /** @param {Stage} stage */
  #showButtons(stage) {
    const isLast = this.#at === (this.#lesson?.steps.length ?? 0) - 1;
    const primary = stage === "right" ? "button primary" : "button";
    const next = button(stage === "right" ? gettext("Next") : gettext("Skip"), () => this.#go(this.#at + 1), { class: primary });
    /** @type {HTMLElement[]} */
    const parts = isLast ? (stage === "right" ? this.#endParts() : []) : [next];
    if (this.#at > 0) parts.push(button(gettext("Back"), () => this.#go(this.#at - 1), { class: "button quiet" }));
    if (stage === "right") parts.push(button(gettext("Try again"), () => this.#go(this.#at), { class: "button quiet" }));
    this.buttons.replaceChildren(...parts);
  }

  /** What to do after the last step. */
  #endParts() {
    return [element("a", { class: "button primary", href: "/" }, gettext("Play a match")), element("a", { class: "button", href: "/learn" }, gettext("Other lessons"))];
  }

  #showDots() {
    const done = doneSteps(this.game);
    const { steps } = /** @type {Lesson} */ (this.#lesson);
    this.#dots.replaceChildren(
      ...steps.map((step, index) => {
        const title = this.#say(step.title);
        const label = done.has(index) ? gettext("{number}. {title}, done", { number: index + 1, title }) : `${index + 1}. ${title}`;
        const current = index === this.#at ? "step" : undefined;
        const go = button(String(index + 1), () => this.#go(index), { class: "step-dot", "aria-label": label, title: label, "aria-current": current, "data-done": String(done.has(index)) });
        return element("li", {}, go);
      }),
    );
  }
}
