/** The reader's puzzle rating in a game, and links to the latest puzzles. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { PuzzleHistory } from "../protocol.js" */

/** Attempts that are shown. */
const SHOWN = 24;

export class PuzzleRecord {
  #rating = element("strong", { class: "puzzle-rating" });
  #counts = element("span", { class: "note" });
  #attempts = element("ol", { class: "puzzle-attempts", "aria-label": gettext("Latest puzzles") });
  element = element("section", { class: "card puzzle-record", "aria-label": gettext("Your puzzles") }, element("p", {}, gettext("Your rating"), " ", this.#rating, " ", this.#counts), this.#attempts);

  /** @param {PuzzleHistory} told */
  show({ game, you, attempts }) {
    this.#rating.textContent = `${you.rating}${you.provisional ? "?" : ""}`;
    this.#counts.textContent = gettext("{solved} of {attempts} solved · streak {streak}, best {best}", { solved: you.solved, attempts: you.attempts, streak: you.streak, best: you.best_streak });
    this.#attempts.hidden = attempts.length === 0;
    this.#attempts.replaceChildren(
      ...attempts.slice(0, SHOWN).map(({ puzzle, solved }) => {
        const label = solved ? gettext("Solved puzzle") : gettext("Puzzle not solved");
        const link = element("a", { href: `/puzzles/${game}/${puzzle}`, class: "puzzle-attempt", "data-solved": String(solved), "aria-label": label, title: label }, solved ? "✓" : "✗");
        return element("li", {}, link);
      }),
    );
  }
}
