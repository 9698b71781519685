/** The lessons of all games, with the reader's progress. */

import { element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext, ngettext, pgettext } from "../language/texts.js";
import { drawShowcase } from "../start/game_cards.js";
import { answerOrToast } from "../toasts.js";
import { doneSteps } from "./lesson_progress.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Lesson } from "../protocol.js" */

export class LearnPage {
  #cards = element("div", { class: "lesson-cards" });
  element = element(
    "div",
    { class: "lessons-page" },
    element("h1", {}, gettext("Learn to play")),
    element("p", { class: "note" }, gettext("A few positions each. No account needed; your progress is kept in this browser.")),
    this.#cards,
  );
  #stopWaiting = () => {};

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
  }

  open() {
    document.title = `${gettext("Learn")} · Millrace`;
    this.#stopWaiting = this.connection.whenKnown(() => this.#show());
  }

  close() {
    this.#stopWaiting();
  }

  async #show() {
    const games = this.connection.games.filter(({ has_lesson }) => has_lesson);
    const lessons = await Promise.all(games.map(({ name }) => answerOrToast(this.connection.ask({ type: "get_lesson", game: name }))));
    this.#cards.replaceChildren(...games.flatMap((game, index) => lessons[index] && lessonCard(this.connection, game, lessons[index])).filter((card) => card !== null));
  }
}

/** @param {Connection} connection @param {GameInfo} game @param {Lesson} lesson */
function lessonCard(connection, game, { rules, steps }) {
  const art = element("div", { class: "game-art" });
  void drawShowcase(connection, game).then((picture) => art.append(picture ?? ""));
  const done = doneSteps(game.name).size;
  const isDone = done >= steps.length;
  const progress = done === 0 ? ngettext("{count} step", "{count} steps", steps.length) : isDone ? gettext("Done") : gettext("{done} of {count} steps done", { done, count: steps.length });
  return element(
    "section",
    { class: "card lesson-card", "data-game": game.name },
    art,
    element("h2", {}, game.title),
    element("p", {}, gameText(game, rules[0]?.text ?? "")),
    element("p", { class: "note" }, progress),
    element("a", { class: "button primary", href: `/learn/${game.name}` }, done === 0 ? pgettext("to begin a lesson", "Start") : isDone ? gettext("Repeat") : gettext("Continue")),
  );
}
