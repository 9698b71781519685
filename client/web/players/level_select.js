/** A select box for a bot's level or personality. */

import { element } from "../element.js";
import { levelText, nameOfLevel, personalityText } from "./bot_texts.js";
import { levelName } from "./shown_name.js";

/** @import { GameInfo, Level } from "../protocol.js" */

const DEFAULT_LEVEL = 3;

/** @param {GameInfo | undefined} game @param {string} label */
export function levelSelect(game, label) {
  const { levels, level_names = {}, personalities = [] } = game ?? { levels: 1 };
  const byLevel = Array.from({ length: levels }, (_, index) => index + 1).map((level) =>
    element("option", { value: level, selected: level === DEFAULT_LEVEL }, [level, levelName(level), nameOfLevel(level, level_names), levelText(level, levels)].filter(Boolean).join(" · ")),
  );
  const byName = personalities.map((each) =>
    element("option", { value: each.name, title: personalityText(each) }, `${each.title} · ${each.description}`),
  );
  return element("select", { "aria-label": label }, ...byLevel, ...byName);
}

/** @param {string} value A number, or the name of a personality. @returns {Level} */
export function parseLevel(value) {
  return /^[0-9]+$/.test(value) ? Number(value) : value;
}
