/** Above a study: its title, its author, who is there, its link, and its chapters. */

import { copyText } from "../clipboard.js";
import { button, element } from "../element.js";
import { gettext, gettextNodes, ngettext } from "../language/texts.js";
import { ChapterList } from "./chapter_list.js";

/** @import { StudyChapter, StudyEditor } from "../protocol.js" */

/**
 * @typedef {object} Heading
 * @property {string} study The id of the chapter.
 * @property {string} title
 * @property {readonly StudyChapter[]} [chapters]
 * @property {string} author The name; empty for a guest.
 * @property {readonly StudyEditor[]} [editors]
 * @property {number} [people] Who have the study open.
 */

export class StudyHeading {
  #title = element("h2", {});
  #author = element("p", { class: "note" });
  #people = element("p", { class: "note", role: "status" });
  #link = element("input", { type: "text", readonly: true, "aria-label": gettext("Link to the study"), onfocus: () => this.#link.select() });
  #chapters = new ChapterList();
  element = element(
    "header",
    { class: "study-heading", hidden: true },
    this.#title,
    this.#author,
    this.#people,
    element("div", { class: "extra" }, this.#link, button(gettext("Copy the link"), () => copyText(this.#link, gettext("Link copied.")))),
    this.#chapters.element,
  );

  /** @param {Heading} heading */
  show({ study, title, author, chapters = [], editors = [], people = 1 }) {
    const by = gettextNodes("A study by {name}", { name: element("a", { href: `/player/${encodeURIComponent(author)}` }, author) });
    const here = editors.filter(({ is_here }) => is_here).map(({ player }) => player.name);
    const count = ngettext("{count} person is here", "{count} people are here", people);
    this.#title.textContent = title || gettext("Study");
    this.#author.replaceChildren(...(author === "" ? [] : by));
    this.#people.textContent = people < 2 ? "" : here.length === 0 ? count : `${count}: ${here.join(", ")}`;
    this.#link.value = `${location.origin}/study/${study}`;
    this.#chapters.show(chapters, study);
    this.element.hidden = false;
    document.title = `${title || gettext("Study")} · Millrace`;
  }
}
