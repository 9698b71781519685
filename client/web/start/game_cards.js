/**
 * The games as cards to choose from, each with a picture of its own board and one line.
 *
 * The server draws the picture from a typical position that the game names.
 */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { drawPreview, loadPreview } from "./start_position.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo, Previewed } from "../protocol.js" */

/** The pictures that the server has been asked for, by game. @type {Map<string, Promise<Previewed | string>>} */
const previews = new Map();

export class GameCards {
  /** @param {Connection} connection @param {(game: string) => void} onChoose */
  constructor(connection, onChoose) {
    this.connection = connection;
    this.onChoose = onChoose;
    this.element = element("div", { class: "game-cards", role: "radiogroup", "aria-label": gettext("Game") });
  }

  /** @param {GameInfo[]} games @param {string} chosen The name of the chosen game. */
  show(games, chosen) {
    this.element.replaceChildren(...games.map((game) => this.#card(game, game.name === chosen)));
  }

  /** @param {GameInfo} game @param {boolean} isChosen */
  #card(game, isChosen) {
    const art = element("span", { class: "game-art" });
    this.#draw(game, art);
    return element(
      "div",
      { class: "game-card", "data-game": game.name },
      element(
        "label",
        {},
        element("input", { type: "radio", name: "game", value: game.name, checked: isChosen, onchange: () => this.#choose(game.name) }),
        art,
        element("span", { class: "game-texts" }, element("span", { class: "game-title" }, game.title), element("span", { class: "game-line" }, game.description ?? "")),
      ),
      game.has_lesson ? element("a", { class: "game-lesson", href: `/learn/${game.name}`, "aria-label": gettext("How to play {game}", { game: game.title }), tabindex: isChosen ? 0 : -1 }, gettext("How to play")) : null,
    );
  }

  /** @param {string} chosen The name of the game; the lesson of no other is a tab stop. */
  #choose(chosen) {
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (this.element.querySelectorAll(".game-card"))) {
      card.querySelector(".game-lesson")?.setAttribute("tabindex", card.dataset.game === chosen ? "0" : "-1");
    }
    this.onChoose(chosen);
  }

  /** @param {GameInfo} game @param {HTMLElement} art */
  async #draw(game, art) {
    const picture = await drawShowcase(this.connection, game);
    if (picture !== null) art.replaceChildren(picture);
  }
}

/** Draw a game's typical position. @param {Connection} connection @param {GameInfo} game @returns {Promise<Element | null>} */
export async function drawShowcase(connection, game) {
  const preview = await (previews.get(game.name) ?? ask(connection, game));
  if (typeof preview === "string") return null;
  const picture = drawPreview(preview, game);
  picture.setAttribute("aria-hidden", "true");
  picture.removeAttribute("aria-label");
  return picture;
}

/** @param {Connection} connection @param {GameInfo} game */
function ask(connection, game) {
  const asked = loadPreview(connection, game, game.showcase ?? "");
  previews.set(game.name, asked);
  return asked;
}
