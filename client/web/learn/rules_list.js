/** A game's short rules as a list. */

import { element } from "../element.js";
import { gameText } from "../language/game_texts.js";

/** @import { Rule } from "../protocol.js" */

/** @param {readonly Rule[]} rules @param {{ name: string } | undefined} game */
export function rulesList(rules, game) {
  return element("dl", { class: "rules-list" }, ...rules.flatMap(({ title, text }) => [element("dt", {}, gameText(game, title)), element("dd", {}, gameText(game, text))]));
}
