/** Saving the lines of an analysis as a study; its title, its chapters and its editors. */

import { button, element, form, hide } from "../element.js";
import { gettext } from "../language/texts.js";
import { studyReportBox } from "../moderation/report_box.js";
import { answerOrToast } from "../toasts.js";
import { saveChapter } from "./study_saving.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { ChangeStudy, StudyEditor, StudyNews, StudySaved } from "../protocol.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { Study } from "./study.js" */

/**
 * @typedef {object} StudySource
 * @property {() => Study | null} study
 * @property {() => string} text The lines.
 * @property {(saved: StudySaved) => void} saved The lines were saved as a study of the reader's own.
 * @property {(path: string) => void} navigate
 */

export class StudyBox {
  #title = textField(gettext("Title of the study"), () => this.#change({ title: this.#title.value }));
  #name = textField(gettext("Name of the chapter"), () => this.#change({ name: this.#name.value }));
  #state = element("p", { class: "note" });
  #save = button(gettext("Save as a study"), () => this.#store(), { class: "button primary" });
  #goal = element("select", { "aria-label": gettext("Where to save"), hidden: true, onchange: () => this.#mark() });
  #up = button(gettext("Move up"), () => this.#change({ place: this.#place - 1 }), { class: "button small" });
  #down = button(gettext("Move down"), () => this.#change({ place: this.#place + 1 }), { class: "button small" });
  #remove = button(gettext("Delete the chapter"), () => this.#deleteChapter(), { class: "button small" });
  #add = button(gettext("Add a chapter"), () => this.#addChapter(), { class: "button small", title: gettext("It begins at the shown position") });
  #chapters = element("div", { class: "study-tools", hidden: true }, this.#name, element("div", { class: "extra" }, this.#add, this.#up, this.#down, this.#remove));
  #player = element("input", { type: "text", maxlength: 20, autocomplete: "off", "aria-label": gettext("Name of a player"), placeholder: gettext("Name of a player") });
  #editors = element("ul", { class: "study-editors", "aria-label": gettext("Editors") });
  #sharing = element("div", { class: "study-tools", hidden: true }, form({ class: "extra" }, () => this.#share(this.#player.value.trim(), true), this.#player, element("button", { class: "button" }, gettext("Add as an editor"))), this.#editors);
  #report = element("div", {});
  /** @type {StudyNews | null} */
  #news = null;
  #isEditable = false;

  /** @param {Connection} connection @param {StudySource} source */
  constructor(connection, source) {
    this.connection = connection;
    this.source = source;
    this.element = element(
      "details",
      { class: "position-box study-box", ontoggle: () => this.#unfold() },
      element("summary", {}, gettext("Study: save and share these lines")),
      element("div", { class: "extra" }, this.#title, this.#goal, this.#save),
      this.#state,
      this.#chapters,
      this.#sharing,
      this.#report,
      element("p", {}, element("a", { href: "/studies" }, gettext("Your studies"))),
    );
  }

  /** @param {{ study: string, title: string, is_own: boolean }} stored The study of the address. */
  open({ study, title, is_own }) {
    this.#isEditable = is_own;
    this.#title.value = title;
    this.element.open = is_own;
    this.#report.replaceChildren(...(is_own ? [] : [studyReportBox(this.connection, study)]));
    this.#mark();
  }

  /** @param {StudyNews} news @param {boolean} isEditable */
  tell(news, isEditable) {
    this.#news = news;
    this.#isEditable = isEditable;
    for (const [field, text] of /** @type {const} */ ([[this.#title, news.title], [this.#name, news.name]])) if (document.activeElement !== field) field.value = text;
    this.#up.disabled = this.#place === 0;
    this.#down.disabled = this.#place === news.chapters.length - 1;
    this.#remove.disabled = news.chapters.length === 1;
    this.#editors.replaceChildren(...news.editors.slice(1).map((editor) => this.#editor(editor)));
    this.#mark();
  }

  /** How the study is saved, if the reader may edit it. @param {boolean} isSaved @param {string} problem */
  show(isSaved, problem) {
    if (!this.#isEditable) return this.#say(isSaved ? gettext("Anyone with the link can see this study.") : gettext("You have unsaved changes."));
    this.#say(problem !== "" ? problem : isSaved ? gettext("All changes are saved.") : gettext("Saving…"));
  }

  get #place() {
    return this.#news?.chapters.findIndex(({ study }) => study === this.source.study()?.id) ?? 0;
  }

  /** @param {string} text */
  #say(text) {
    if (this.#state.textContent !== text) this.#state.textContent = text;
  }

  #mark() {
    const isStudy = (this.source.study()?.id ?? "") !== "";
    hide(this.#save, this.#isEditable);
    hide(this.#chapters, !this.#isEditable);
    hide(this.#sharing, this.#news?.editors[0]?.player.id !== this.connection.player?.id);
    hide(this.#title, this.#goal.value !== "");
    this.#save.textContent = isStudy ? gettext("Save your own copy") : gettext("Save as a study");
  }

  async #unfold() {
    if (!this.element.open || this.source.study()?.id !== "") return;
    const told = await answerOrToast(this.connection.ask({ type: "list_studies" }));
    const options = (told?.studies ?? []).map(({ study, title }) => element("option", { value: study }, gettext("Chapter of: {title}", { title: title || gettext("Study") })));
    hide(this.#goal, options.length === 0);
    this.#goal.replaceChildren(element("option", { value: "" }, gettext("New study")), ...options);
  }

  async #store() {
    const study = this.source.study();
    if (study === null) return;
    const title = this.#title.value.trim();
    const saved = await this.#send(study.cache.root, this.source.text(), { title, part_of: this.#goal.value });
    if (saved === null) return;
    this.#isEditable = true;
    this.#goal.value = "";
    hide(this.#goal, true);
    this.#report.replaceChildren();
    this.source.saved(saved);
    this.#mark();
  }

  async #addChapter() {
    const study = this.source.study();
    if (study === null) return;
    const position = study.node.parent === null ? "" : (study.told?.position ?? "");
    const saved = await this.#send(position === "" ? study.cache.root : { game: study.game, setup: position }, "", { part_of: study.id });
    if (saved !== null) this.source.navigate(`/study/${saved.study}`);
  }

  /** @param {Root} root @param {string} text @param {{ title?: string, part_of: string }} about */
  #send(root, text, about) {
    return answerOrToast(saveChapter(this.connection, this.source.study()?.game ?? "", root, text, about));
  }

  /** @param {Partial<ChangeStudy>} change */
  async #change(change) {
    if (this.#isEditable) await answerOrToast(this.connection.ask({ type: "change_study", study: this.source.study()?.id ?? "", ...change }));
  }

  async #deleteChapter() {
    const id = this.source.study()?.id ?? "";
    const done = await answerOrToast(this.connection.ask({ type: "delete_chapter", study: id }));
    const other = this.#news?.chapters.find(({ study }) => study !== id);
    if (done !== null && other !== undefined) this.source.navigate(`/study/${other.study}`);
  }

  /** @param {string} player @param {boolean} on */
  async #share(player, on) {
    if (player === "") return;
    const done = await answerOrToast(this.connection.ask({ type: "share_study", study: this.source.study()?.id ?? "", player, on }));
    if (done !== null && on) this.#player.value = "";
  }

  /** @param {StudyEditor} editor */
  #editor({ player: { name } }) {
    const label = gettext("Remove {name} from the editors", { name });
    return element("li", {}, element("a", { href: `/player/${encodeURIComponent(name)}` }, name), button(gettext("Remove"), () => this.#share(name, false), { class: "button quiet small", "aria-label": label, title: label }));
  }
}

/** @param {string} label @param {() => void} changed */
function textField(label, changed) {
  return element("input", { type: "text", maxlength: 80, "aria-label": label, placeholder: label, onchange: changed });
}
