/** The tools of a study: notes, drawings, saving and loading. */

import { toggled } from "../board/drawings.js";
import { button } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { answerOrToast, toast } from "../toasts.js";
import { remaining } from "./line_tree.js";
import { movetextOf } from "./movetext.js";
import { NoteBox } from "./note_box.js";
import { StudyBox } from "./study_box.js";
import { StudyHeading } from "./study_heading.js";
import { OpenChapter } from "./study_saving.js";

/** @import { Drawing } from "../board/drawings.js" */
/** @import { Connection } from "../connection/connection.js" */
/** @import { Study as StoredStudy, StudyNews, StudySaved } from "../protocol.js" */
/** @import { LineNode } from "./line_tree.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { Study } from "./study.js" */

/**
 * @typedef {object} StudyPage
 * @property {() => Study | null} study
 * @property {() => void} changed
 * @property {(node: LineNode) => void} go
 * @property {(path: string) => void} navigate
 * @property {(isDrawing: boolean) => void} pencil
 */

export class StudyTools {
  notes;
  studies;
  heading = new StudyHeading();
  /** The study that was loaded. @type {StoredStudy | null} */
  stored = null;
  /** Sets the board to drawing, for pointers without a right button. */
  pencil;
  #isDrawing = false;
  /** @type {OpenChapter | null} */
  #chapter = null;
  #problem = "";

  /** @param {Connection} connection @param {StudyPage} page */
  constructor(connection, page) {
    this.connection = connection;
    this.page = page;
    this.notes = new NoteBox(() => this.#keep());
    this.studies = new StudyBox(connection, {
      study: page.study,
      text: () => (page.study() === null ? "" : movetextOf(/** @type {Study} */ (page.study()).tree)),
      saved: (saved) => this.#turnTo(saved),
      navigate: page.navigate,
    });
    const label = gettext("Draw arrows and circles (or use the right mouse button)");
    this.pencil = button(icon("pencil"), () => this.#toggle(), { class: "button icon-button", "aria-pressed": "false", "aria-label": label, title: label });
  }

  close() {
    this.#chapter?.close();
  }

  /** @param {string} study @returns {Promise<StoredStudy | null>} Null if there is no such study. */
  async load(study) {
    this.stored = await answerOrToast(this.connection.ask({ type: "get_study", study }));
    if (this.stored !== null) {
      this.studies.open(this.stored);
      this.heading.show({ ...this.stored, author: this.stored.author ?? "" });
    }
    return this.stored;
  }

  /** @param {StoredStudy} stored @returns {Root} */
  rootOf({ match, game, setup }) {
    return match === null ? { game, setup } : { match };
  }

  /** @param {Drawing} drawing */
  draw(drawing) {
    const node = this.page.study()?.node;
    if (node === undefined) return;
    node.drawings = toggled(node.drawings, drawing);
    this.#keep();
  }

  /** The shown node or its note has changed. */
  show() {
    const study = this.page.study();
    if (study === null) return;
    this.notes.show(study.node);
    if (this.#chapter === null && this.stored !== null) this.#follow(study, this.stored.updated_ms, this.stored.is_own);
    this.#chapter?.touch();
    this.#showState();
  }

  #toggle() {
    this.#isDrawing = !this.#isDrawing;
    this.pencil.setAttribute("aria-pressed", String(this.#isDrawing));
    this.page.pencil(this.#isDrawing);
    this.page.changed();
  }

  #keep() {
    this.page.study()?.keep();
    this.page.changed();
  }

  #showState() {
    if (this.#chapter !== null) this.studies.show(this.#chapter.isSaved, this.#problem);
  }

  /** The lines were saved as a study of the reader's own. @param {StudySaved} saved */
  #turnTo({ study: id, updated_ms = 0 }) {
    const study = this.page.study();
    if (study === null) return;
    study.id = id;
    study.keep();
    this.#chapter?.close();
    this.#follow(study, updated_ms, true);
  }

  /** @param {Study} study @param {number} version_ms @param {boolean} isOwn */
  #follow(study, version_ms, isOwn) {
    const chapter = new OpenChapter(this.connection, study, version_ms, {
      told: (news) => this.#hear(news, isOwn),
      merged: () => this.#merged(study),
      saving: (problem) => {
        this.#problem = problem;
        if (problem !== "") toast(problem);
        this.#showState();
      },
    });
    chapter.isEditable = isOwn;
    this.#chapter = chapter;
  }

  /** @param {StudyNews} news @param {boolean} isOwn */
  #hear(news, isOwn) {
    const chapter = this.#chapter;
    if (chapter === null) return;
    if (!news.chapters.some(({ study }) => study === news.study)) return this.#lose(chapter, news);
    chapter.isEditable = isOwn || news.editors.some(({ player }) => player.id === this.connection.player?.id);
    this.heading.show({ author: news.editors[0]?.player.name ?? "", ...news });
    this.studies.tell(news, chapter.isEditable);
    this.#showState();
  }

  /** Others have deleted the chapter; its lines can still be saved as a copy. @param {OpenChapter} chapter @param {StudyNews} news */
  #lose(chapter, news) {
    toast(gettext("This chapter has been deleted."));
    chapter.isEditable = false;
    this.studies.tell({ ...news, title: this.stored?.title ?? "" }, false);
  }

  /** Others have changed the lines. @param {Study} study */
  #merged(study) {
    const node = remaining(study.node);
    if (node === study.node) this.page.changed();
    else this.page.go(node);
  }
}
