/** The rules of the match's game on one screen, opened beside the board. */

import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { rulesList } from "../learn/rules_list.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { GameInfo } from "../protocol.js" */
/** @import { HintBox } from "./hint_box.js" */

export class RulesDialog {
  button = button(gettext("Rules"), () => this.#open(), { class: "button quiet small rules-button", hidden: true, "aria-haspopup": "dialog" });

  /** @param {Connection} connection @param {() => GameInfo | undefined} gameOf @param {HintBox} hints */
  constructor(connection, gameOf, hints) {
    this.connection = connection;
    this.gameOf = gameOf;
    this.hints = hints;
  }

  /** Show the button for a game that brings its rules. */
  show() {
    this.button.hidden = !this.gameOf()?.has_lesson;
  }

  async #open() {
    const game = this.gameOf();
    if (game === undefined) return;
    const lesson = await answerOrToast(this.connection.ask({ type: "get_lesson", game: game.name }));
    if (lesson === null) return;
    const close = button(gettext("Close"), () => dialog.close(), { class: "button primary" });
    const hints = element("input", { type: "checkbox", checked: this.hints.isOn, onchange: () => this.hints.choose(hints.checked) });
    const dialog = element(
      "dialog",
      { class: "rules-dialog", "aria-label": gettext("Rules of {game}", { game: game.title }), onclose: () => dialog.remove() },
      element("h2", { tabindex: -1, autofocus: true }, game.title),
      rulesList(lesson.rules, game),
      element("label", { class: "check" }, hints, gettext("Explain each move while I play")),
      element("div", { class: "extra" }, element("a", { class: "button", href: `/learn/${game.name}`, target: "_blank" }, gettext("Open the lesson")), close),
    );
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
    document.body.append(dialog);
    dialog.showModal();
  }
}
