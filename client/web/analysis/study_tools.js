/** The tools of a study: notes, drawings, saving and loading. */

import { toggled } from "../board/drawings.js";
import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext, gettextNodes } from "../language/texts.js";
import { answerOrToast } from "../toasts.js";
import { movetextOf } from "./movetext.js";
import { NoteBox } from "./note_box.js";
import { StudyBox } from "./study_box.js";

/** @import { Drawing } from "../board/drawings.js" */
/** @import { Connection } from "../connection/connection.js" */
/** @import { Study as StoredStudy } from "../protocol.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { Study } from "./study.js" */

export class StudyTools {
  notes;
  studies;
  /** The study that was loaded. @type {StoredStudy | null} */
  stored = null;
  /** The title and the author of the study that was loaded. */
  heading = element("header", { class: "study-heading", hidden: true });
  /** Sets the board to drawing, for pointers without a right button. */
  pencil;
  #isDrawing = false;

  /**
   * @param {Connection} connection
   * @param {() => Study | null} studyOf
   * @param {() => void} changed
   * @param {(isDrawing: boolean) => void} onPencil
   */
  constructor(connection, studyOf, changed, onPencil) {
    this.connection = connection;
    this.studyOf = studyOf;
    this.changed = changed;
    this.onPencil = onPencil;
    this.notes = new NoteBox(() => this.#keep());
    this.studies = new StudyBox(connection, {
      text: () => (studyOf() === null ? "" : movetextOf(/** @type {Study} */ (studyOf()).tree)),
      root: () => studyOf()?.cache.root ?? null,
      game: () => studyOf()?.game ?? "",
      saved: (study) => this.#turnTo(study),
    });
    const label = gettext("Draw arrows and circles (or use the right mouse button)");
    this.pencil = button(icon("pencil"), () => this.#toggle(), { class: "button icon-button", "aria-pressed": "false", "aria-label": label, title: label });
  }

  /** @param {string} study @returns {Promise<StoredStudy | null>} Null if there is no such study. */
  async load(study) {
    this.stored = await answerOrToast(this.connection.ask({ type: "get_study", study }));
    if (this.stored !== null) {
      this.studies.open(this.stored);
      this.#introduce(this.stored);
    }
    return this.stored;
  }

  /** @param {StoredStudy} stored */
  #introduce({ title, author = "" }) {
    const by = gettextNodes("A study by {name}", { name: element("a", { href: `/player/${encodeURIComponent(author)}` }, author) });
    this.heading.replaceChildren(element("h2", {}, title || gettext("Study")), ...(author === "" ? [] : [element("p", { class: "note" }, ...by)]));
    this.heading.hidden = false;
    document.title = `${title || gettext("Study")} · Millrace`;
  }

  /** @param {StoredStudy} stored @returns {Root} */
  rootOf({ match, game, setup }) {
    return match === null ? { game, setup } : { match };
  }

  /** @param {Drawing} drawing */
  draw(drawing) {
    const node = this.studyOf()?.node;
    if (node === undefined) return;
    node.drawings = toggled(node.drawings, drawing);
    this.#keep();
  }

  /** The shown node or its note has changed. */
  show() {
    const study = this.studyOf();
    if (study !== null) this.notes.show(study.node);
    this.studies.show();
  }

  #toggle() {
    this.#isDrawing = !this.#isDrawing;
    this.pencil.setAttribute("aria-pressed", String(this.#isDrawing));
    this.onPencil(this.#isDrawing);
    this.changed();
  }

  #keep() {
    this.studyOf()?.keep();
    this.changed();
  }

  /** @param {string} id Of the study that the lines were saved as. */
  #turnTo(id) {
    const study = this.studyOf();
    if (study === null) return;
    study.id = id;
    study.keep();
  }
}
