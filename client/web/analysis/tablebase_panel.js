/** The tablebase result of the shown position, and of each move. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { solvedText, tablesText } from "./evaluation_texts.js";

/** @import { TablebaseProbed } from "../protocol.js" */

export class TablebasePanel {
  #headline = element("p", { class: "solved-headline" });
  #moves = element("ul", { class: "solved-moves", "aria-label": gettext("Moves with their results") });
  #caution = element("p", { class: "note" }, gettext("Where no number of plies is given, only the result is known: too many plies without progress may still draw the match."));
  #tables = element("p", { class: "note" });
  element = element("section", { class: "tablebase-panel", "aria-label": gettext("Tablebase"), hidden: true }, this.#headline, this.#moves, this.#caution, this.#tables);

  /** @param {(move: string) => void} onPlay */
  constructor(onPlay) {
    this.onPlay = onPlay;
  }

  /**
   * @param {TablebaseProbed | null} told Null until looked up; unsolved positions are not shown.
   * @param {string} mover The name of the seat to move.
   */
  show(told, mover) {
    this.element.hidden = !told?.solved;
    if (!told?.solved) return;
    const { solved } = told;
    this.#headline.textContent = gettext("Solved: {name} {result}.", { name: mover, result: solvedText(solved.result, solved.plies) });
    this.#headline.dataset.result = String(solved.result);
    this.#tables.textContent = tablesText(told);
    this.#caution.hidden = ![solved, ...solved.moves].some(({ result, plies }) => result !== 0 && plies === null);
    // The move itself is a ply too, so that the best move takes as long as the position.
    this.#moves.replaceChildren(
      ...solved.moves.map(({ move, result, plies }) =>
        element("li", {}, button(move, () => this.onPlay(move), { class: "move", "data-result": result }), element("span", { class: "note" }, solvedText(result, plies === null ? null : plies + 1))),
      ),
    );
  }
}
