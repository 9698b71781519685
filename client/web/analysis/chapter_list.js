/** The chapters of a study, as links. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";

/** @import { StudyChapter } from "../protocol.js" */

export class ChapterList {
  #list = element("ol", {});
  element = element("nav", { class: "study-chapters", "aria-label": gettext("Chapters"), hidden: true }, this.#list);

  /** @param {readonly StudyChapter[]} chapters @param {string} shown The id of the shown one. */
  show(chapters, shown) {
    this.element.hidden = chapters.length < 2;
    this.#list.replaceChildren(...chapters.map(({ study, name }, index) => element("li", {}, element("a", { href: `/study/${study}`, "aria-current": study === shown ? "page" : undefined }, chapterName(name, index)))));
  }
}

/** @param {string} name @param {number} index */
export function chapterName(name, index) {
  return name || gettext("Chapter {number}", { number: index + 1 });
}
