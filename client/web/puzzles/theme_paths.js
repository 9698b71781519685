/** Paths through the puzzles of a game: its themes, each with the reader's mastery. */

import { button, element } from "../element.js";
import { gameText } from "../language/game_texts.js";
import { gettext, percentText } from "../language/texts.js";

/** @import { PuzzleHistory, PuzzleTheme } from "../protocol.js" */

export class ThemePaths {
  #list = element("ul", { class: "theme-paths" });
  element = element(
    "section",
    { class: "card", "aria-label": gettext("Paths by theme") },
    element("h2", {}, gettext("Paths by theme")),
    element("p", { class: "note" }, gettext("Mastery is the share of a theme's puzzles that you solved at the first attempt.")),
    this.#list,
  );

  /** @param {(theme: string) => void} choose Receives the code of a theme, or nothing for any. */
  constructor(choose) {
    this.choose = choose;
    this.element.hidden = true;
  }

  /** @param {PuzzleHistory} told @param {string} chosen The code of the present theme. */
  show({ game, themes }, chosen) {
    const any = button(gettext("Any theme"), () => this.choose(""), { class: "button quiet", "aria-pressed": String(chosen === "") });
    this.#list.replaceChildren(element("li", {}, any), ...themes.map((theme) => element("li", {}, this.#path(game, theme, chosen))));
  }

  /** @param {string} game @param {PuzzleTheme} theme @param {string} chosen */
  #path(game, { code, title, puzzles, tried, solved }, chosen) {
    const name = gameText({ name: game }, title);
    const mastery = percentText(solved / puzzles);
    const words = gettext("{solved} of {count} solved, {tried} tried", { solved, count: puzzles, tried });
    const path = button(name, () => this.choose(code), { class: "button quiet theme-path", "aria-pressed": String(code === chosen) });
    const bar = element("progress", { max: String(puzzles), value: String(solved), "aria-hidden": "true" });
    path.append(element("span", {}, mastery), bar, element("span", { class: "note" }, words));
    return path;
  }
}
