/**
 * What solved endings say of the position on view: how it ends with the best play, and how each move does.
 */

import { button, element } from "../element.js";
import { solvedText, tablesText } from "./evaluation_texts.js";

/** @import { TablebaseProbed } from "../protocol.js" */

export class TablebasePanel {
  #headline = element("p", { class: "solved-headline" });
  #moves = element("ul", { class: "solved-moves", "aria-label": "Moves by how they end" });
  #tables = element("p", { class: "note" });
  element = element("section", { class: "tablebase-panel", "aria-label": "Solved endings", hidden: true }, this.#headline, this.#moves, this.#tables);

  /** @param {(move: string) => void} onPlay */
  constructor(onPlay) {
    this.onPlay = onPlay;
  }

  /**
   * @param {TablebaseProbed | null} told Null as long as nothing is known; what is not solved is passed over.
   * @param {string} mover The name of the seat to move.
   */
  show(told, mover) {
    this.element.hidden = !told?.solved;
    if (!told?.solved) return;
    const { solved } = told;
    this.#headline.textContent = `Solved: ${mover} ${solvedText(solved.result, solved.plies)}.`;
    this.#headline.dataset.result = String(solved.result);
    this.#tables.textContent = tablesText(told);
    // The move itself is a ply too: so the best of them takes as long as the position does.
    this.#moves.replaceChildren(
      ...solved.moves.map(({ move, result, plies }) =>
        element("li", {}, button(move, () => this.onPlay(move), { class: "move", "data-result": result }), element("span", { class: "note" }, solvedText(result, plies === null ? null : plies + 1))),
      ),
    );
  }
}
