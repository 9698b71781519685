/** What leads from a puzzle to others: the kinds of puzzles, the other pages for practice, and the games. */

import { button, element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PuzzleMode } from "../protocol.js" */

/** @type {[PuzzleMode, string][]} */
const MODES = [
  ["rated", later("Puzzles")],
  ["daily", later("Puzzle of the day")],
  ["streak", later("Streak")],
];

export class PuzzleChoices {
  games = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Game") });
  modes = element("div", { class: "game-picker", role: "group", "aria-label": gettext("Kind of puzzles") });
  #mistakes = element("a", { class: "button" });
  #game = "";

  /**
   * @param {Connection} connection
   * @param {(game: string) => void} chooseGame
   * @param {(mode: PuzzleMode) => void} chooseMode
   */
  constructor(connection, chooseGame, chooseMode) {
    this.connection = connection;
    this.chooseGame = chooseGame;
    this.chooseMode = chooseMode;
  }

  /** The games with puzzles. */
  get offered() {
    return this.connection.games.filter(({ puzzles }) => puzzles > 0);
  }

  /** @param {string} game @param {PuzzleMode} mode */
  show(game, mode) {
    this.#game = game;
    this.games.replaceChildren(...this.offered.map(({ name, title }) => button(title, () => this.chooseGame(name), { "aria-pressed": String(name === game) })));
    const hasEndings = this.connection.games.find(({ name }) => name === game)?.has_endings;
    this.modes.replaceChildren(
      ...MODES.map(([each, title]) => button(gettext(title), () => this.chooseMode(each), { "aria-pressed": String(each === mode) })),
      link(`/storm/${game}`, gettext("Storm")),
      link("/race", gettext("Race")),
      ...(hasEndings ? [link(`/endings/${game}`, gettext("Endings"))] : []),
      link(`/coordinates/${game}`, gettext("Coordinates")),
    );
    if (this.connection.player?.registered) this.#offerMistakes(game);
  }

  /** @param {string} game */
  async #offerMistakes(game) {
    const posed = await answerOrToast(this.connection.ask({ type: "get_mistake", game }));
    if (posed === null || game !== this.#game) return;
    this.#mistakes.href = `/mistakes/${game}`;
    this.#mistakes.textContent = gettext("Your mistakes ({count})", { count: posed.left });
    this.modes.append(this.#mistakes);
  }
}

/** @param {string} href @param {string} label */
function link(href, label) {
  return element("a", { class: "button", href }, label);
}
