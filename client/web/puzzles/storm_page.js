/** A storm: as many puzzles as possible in three minutes. The server keeps the time. */

import { button, element } from "../element.js";
import { gettext, later, numberText, pgettext } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { RunPage } from "./run_page.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { StormPlayed, StormPuzzle, StormStanding } from "../protocol.js" */

/** Shown before the start; the server says how long a storm lasts. */
const DURATION_MS = 180_000;

/** @extends {RunPage<StormPlayed>} */
export class StormPage extends RunPage {
  #bests = element("p", {});

  /** @param {Connection} connection @param {string} game From the address. */
  constructor(connection, game) {
    super(connection, game, gettext("Storm"), later("{score} solved"));
    const record = element("section", { class: "card puzzle-record", "aria-label": gettext("Your storms") }, this.#bests);
    this.side.append(record, element("p", {}, element("a", { href: `/puzzles/${game}` }, gettext("Puzzles"))));
  }

  /** @override */
  async begin() {
    if (this.isRunning) return;
    if (!this.gameInfo?.puzzles) return this.showInstead(element("p", { class: "notice" }, gettext("This server has no puzzles.")));
    this.element.hidden = false;
    this.task.textContent = gettext("Storm");
    this.text.textContent = gettext("Solve as many puzzles as you can in three minutes. Right moves in a row win time: 5 of them 3 seconds, 12 of them 5, 20 of them 7, and then every 10 more 10. A wrong move costs 10 seconds.");
    this.showTime(DURATION_MS);
    this.#showButton(pgettext("to begin an exercise", "Start"));
    this.#bests.parentElement?.toggleAttribute("hidden", true);
    await this.board.start({ game: this.game, setup: this.gameInfo.showcase ?? "" });
  }

  async #start() {
    const begun = await answerOrToast(this.connection.ask({ type: "start_storm", game: this.game }));
    if (begun === null) return;
    this.showScore(begun.you);
    await this.run(begun.puzzles, begun.left_ms);
  }

  /** @override @param {StormPuzzle} puzzle @param {string[]} moves */
  judge({ number }, moves) {
    return answerOrToast(this.connection.ask({ type: "play_storm", game: this.game, number, moves }));
  }

  /** @override @param {StormPlayed} played */
  showNews({ right, change_ms }) {
    const seconds = numberText(Math.abs(change_ms) / 1000);
    this.news.textContent = change_ms === 0 ? "" : right ? gettext("+{seconds} s", { seconds }) : gettext("Wrong: −{seconds} s", { seconds });
  }

  /** @override @param {StormStanding} you */
  showScore(you) {
    super.showScore(you);
    this.#bests.textContent = gettext("Best today: {today} · best ever: {best}", { today: you.best_today, best: you.best });
    this.#bests.parentElement?.toggleAttribute("hidden", false);
  }

  /** @override */
  finished() {
    this.#showButton(gettext("Play again"));
  }

  /** @param {string} label */
  #showButton(label) {
    this.buttons.replaceChildren(button(label, () => this.#start(), { class: "button primary" }));
  }
}
