/**
 * A game's rules in short, as a list.
 */

import { element } from "../element.js";

/** @import { Rule } from "../protocol.js" */

/** @param {readonly Rule[]} rules */
export function rulesList(rules) {
  return element("dl", { class: "rules-list" }, ...rules.flatMap(({ title, text }) => [element("dt", {}, title), element("dd", {}, text)]));
}
