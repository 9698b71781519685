/** Saving the lines of an analysis as a study, sharing its link, and the list of one's own studies. */

import { copyText } from "../clipboard.js";
import { newId } from "../connection/requests.js";
import { partsOf } from "../connection/text_parts.js";
import { dateText } from "../dates.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { studyReportBox } from "../moderation/report_box.js";
import { answerOrToast } from "../toasts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Study as StoredStudy, StudySummary } from "../protocol.js" */
/** @import { Root } from "./position_cache.js" */

const MOST_CHARACTERS = 4_000;

export class StudyBox {
  #title = element("input", { type: "text", maxlength: 80, "aria-label": gettext("Title of the study"), placeholder: gettext("Title of the study"), oninput: () => this.#mark() });
  #link = element("input", { type: "text", readonly: true, "aria-label": gettext("Link to the study"), onfocus: () => this.#link.select() });
  #state = element("p", { class: "note", role: "status" });
  #share = element("div", { class: "extra", hidden: true }, this.#link, button(gettext("Copy the link"), () => copyText(this.#link, gettext("Link copied."))));
  #save = button(gettext("Save as a study"), () => this.#store(), { class: "button primary" });
  #list = element("ul", { class: "study-list", "aria-label": gettext("Your studies") });
  #report = element("div", {});
  /** The shown study. @type {{ study: string, isOwn: boolean } | null} */
  #shown = null;
  /** What is stored; null while the lines of a study are not there. @type {string | null} */
  #saved = "";

  /**
   * @param {Connection} connection
   * @param {{ text: () => string, root: () => Root | null, game: () => string, saved: (study: string) => void }} source What is saved.
   */
  constructor(connection, source) {
    this.connection = connection;
    this.source = source;
    this.element = element(
      "details",
      { class: "position-box study-box", ontoggle: () => this.element.open && this.#unfold() },
      element("summary", {}, gettext("Study: save and share these lines")),
      element("div", { class: "extra" }, this.#title, this.#save),
      this.#state,
      this.#share,
      this.#report,
      this.#list,
    );
  }

  /** @param {StoredStudy} stored The study of the address. */
  open(stored) {
    this.element.open = stored.is_own;
    this.#title.value = stored.title;
    this.#take(stored.study, stored.is_own);
    this.#saved = null;
  }

  /** The lines may have changed. */
  show() {
    this.#saved ??= this.#content;
    if (this.element.open) this.#mark();
  }

  /** What would be saved. */
  get #content() {
    return JSON.stringify([this.#title.value.trim(), this.source.text()]);
  }

  #mark() {
    const isChanged = this.#content !== this.#saved;
    const { isOwn = false } = this.#shown ?? {};
    this.#save.textContent = this.#shown === null ? gettext("Save as a study") : isOwn ? gettext("Save the changes") : gettext("Save your own copy");
    this.#save.disabled = isOwn && !isChanged;
    this.#state.textContent = this.#shown === null ? "" : isChanged ? gettext("You have unsaved changes.") : gettext("Anyone with the link can see this study.");
  }

  /** @param {string} study @param {boolean} isOwn */
  #take(study, isOwn) {
    this.#shown = { study, isOwn };
    this.#share.hidden = false;
    this.#link.value = `${location.origin}/study/${study}`;
    this.#report.replaceChildren(...(isOwn ? [] : [studyReportBox(this.connection, study)]));
  }

  async #store() {
    const root = this.source.root();
    if (root === null) return;
    const content = this.#content;
    const saved = await this.#send(root, this.source.text());
    if (saved === null) return;
    this.#take(saved, true);
    this.#saved = content;
    this.#mark();
    this.source.saved(saved);
    this.#learn();
  }

  /**
   * @param {Root} root
   * @param {string} text
   * @returns {Promise<string | null>} The id of the study; null if it was refused.
   */
  async #send(root, text) {
    const upload = newId();
    const from = "match" in root ? { match: root.match, setup: "" } : { match: null, setup: root.setup };
    const fields = { ...from, game: this.source.game(), title: this.#title.value.trim(), study: this.#shown?.isOwn ? this.#shown.study : "" };
    const parts = partsOf(text, MOST_CHARACTERS, { type: "save_study", upload, ...fields });
    for (const [part, piece] of parts.entries()) {
      const answer = await answerOrToast(this.connection.ask({ type: "save_study", upload, part, parts: parts.length, text: piece, ...fields }));
      if (answer === null) return null;
      if (answer.type === "study_saved") return answer.study;
    }
    return null;
  }

  #unfold() {
    this.#mark();
    this.#learn();
  }

  async #learn() {
    const told = await answerOrToast(this.connection.ask({ type: "list_studies" }));
    if (told !== null) this.#list.replaceChildren(...told.studies.map((each) => this.#line(each)));
  }

  /** @param {StudySummary} summary */
  #line({ study, title, game, updated_ms }) {
    const name = title || this.connection.games.find((each) => each.name === game)?.title || game;
    return element(
      "li",
      {},
      element("a", { href: `/study/${study}` }, name),
      element("span", { class: "note" }, dateText(updated_ms)),
      button(gettext("Delete"), () => this.#delete(study), { class: "button quiet small", "aria-label": gettext("Delete {title}", { title: name }) }),
    );
  }

  /** @param {string} study */
  async #delete(study) {
    const done = await answerOrToast(this.connection.ask({ type: "delete_study", study }));
    if (done === null) return;
    if (study === this.#shown?.study) {
      this.#shown = null;
      this.#share.hidden = true;
      this.#mark();
    }
    this.#learn();
  }
}
