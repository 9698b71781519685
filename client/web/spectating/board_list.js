/** A list of matches as small boards that link to them. On an update, remaining boards keep their place and the focus.
 * */

import { element } from "../element.js";
import { MatchPicture } from "./match_picture.js";

/** @import { Connection } from "../connection/connection.js" */

/** @typedef {{ match: string, game: string, note?: string }} ShownMatch The note stands below the board. */

export class BoardList {
  element = element("ul", { class: "board-list" });
  /** By match. @type {Map<string, { item: HTMLElement, note: HTMLElement, picture: MatchPicture }>} */
  #shown = new Map();

  /** @param {Connection} connection */
  constructor(connection) {
    this.connection = connection;
  }

  /** @param {ShownMatch[]} matches In order. */
  show(matches) {
    const known = matches.filter(({ game }) => this.#gameOf(game) !== undefined);
    for (const [match, { item, picture }] of this.#shown) {
      if (known.some((each) => each.match === match)) continue;
      picture.close();
      item.remove();
      this.#shown.delete(match);
    }
    for (const [index, { match, game, note }] of known.entries()) {
      const part = this.#shown.get(match) ?? this.#add(match, game);
      part.note.textContent = note ?? "";
      // Moving an item in the document would remove the focus from it.
      if (this.element.children[index] !== part.item) this.element.insertBefore(part.item, this.element.children[index] ?? null);
    }
    this.element.hidden = known.length === 0;
  }

  close() {
    this.show([]);
  }

  /** @param {string} name */
  #gameOf(name) {
    return this.connection.games.find((game) => game.name === name);
  }

  /** @param {string} match @param {string} game */
  #add(match, game) {
    const info = this.#gameOf(game);
    if (info === undefined) throw new Error(`no game is called ${game}`);
    const picture = new MatchPicture(this.connection, info);
    const note = element("span", { class: "small-note" });
    const link = element("a", { class: "card small-board live-match", href: `/match/${match}`, "data-match": match }, ...picture.elements, note);
    const part = { item: element("li", {}, link), note, picture };
    this.#shown.set(match, part);
    picture.follow(match);
    return part;
  }
}
