/** Saving the lines of an analysis as a chapter of a study. No DOM. */

import { RefusedError, newId } from "../connection/requests.js";
import { partsOf } from "../connection/text_parts.js";
import { mergeLines } from "./line_merge.js";
import { LineTree, fixedMoves } from "./line_tree.js";
import { addMovetext, movetextOf } from "./movetext.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { StudyNews, StudySaved } from "../protocol.js" */
/** @import { Root } from "./position_cache.js" */
/** @import { Study } from "./study.js" */

const MOST_CHARACTERS = 4_000;
/** Between two saves while the reader goes on changing. */
const SAVE_MS = 1_000;
/** After a refusal. */
const RETRY_MS = 10_000;

/**
 * @param {Connection} connection
 * @param {string} game
 * @param {Root} root
 * @param {string} text
 * @param {{ title?: string, study?: string, part_of?: string, name?: string, based_on_ms?: number }} about
 * @returns {Promise<StudySaved>} Rejects with RefusedError.
 */
export async function saveChapter(connection, game, root, text, about) {
  const upload = newId();
  const from = "match" in root ? { match: root.match, setup: "" } : { match: null, setup: root.setup };
  const fields = { ...from, game, title: "", study: "", part_of: "", name: "", based_on_ms: 0, ...about };
  const parts = partsOf(text, MOST_CHARACTERS, { type: "save_study", upload, ...fields });
  const send = (/** @type {number} */ part) => connection.ask({ type: "save_study", upload, part, parts: parts.length, text: parts[part], ...fields });
  for (let part = 0; part < parts.length - 1; part += 1) await send(part);
  return /** @type {Promise<StudySaved>} */ (send(parts.length - 1));
}

/**
 * The open chapter of a study: receives what others change, and saves what the reader changes, if that may be.
 *
 * A save names the version that it is based on. If there is a newer one it is refused; then the changes of others are
 * merged into the lines, and these are saved again. So nobody's changes are lost.
 */
export class OpenChapter {
  /** Whether the reader may edit the study. */
  isEditable = false;
  /** The lines as they were last saved or received, and their text. */
  #base;
  #savedText;
  #version_ms;
  #isSaving = false;
  #isClosed = false;
  /** Received during a save. @type {StudyNews | null} */
  #held = null;
  #timer = 0;
  #unfollow;
  #leave = () => void this.#finish();

  /**
   * @param {Connection} connection
   * @param {Study} study
   * @param {number} version_ms When its lines were saved.
   * @param {{ told: (news: StudyNews) => void, merged: () => void, saving: (problem: string) => void }} listener Hears of news, of lines that others have changed, and how saving goes on.
   */
  constructor(connection, study, version_ms, listener) {
    this.connection = connection;
    this.study = study;
    this.listener = listener;
    this.#version_ms = version_ms;
    this.#savedText = this.#text;
    this.#base = this.#treeOf(this.#savedText);
    this.#unfollow = connection.follow({ type: "watch_study", study: study.id }, (news) => this.#hear(news));
    addEventListener("pagehide", this.#leave);
  }

  /** Whether the server has the lines as they are. */
  get isSaved() {
    return this.#text === this.#savedText;
  }

  /** The lines may have changed: save them soon. */
  touch() {
    if (this.isEditable && !this.#isSaving && this.#timer === 0 && !this.isSaved) this.#saveAfter(SAVE_MS);
  }

  /** Stop following, and save what is not saved yet. */
  close() {
    this.#isClosed = true;
    this.#unfollow();
    removeEventListener("pagehide", this.#leave);
    this.#finish();
  }

  get #text() {
    return movetextOf(this.study.tree);
  }

  /** @param {string} text */
  #treeOf(text) {
    const tree = new LineTree(fixedMoves(this.study.tree));
    addMovetext(tree, text);
    return tree;
  }

  #finish() {
    if (this.isEditable && !this.#isSaving && !this.isSaved) this.#saveAfter(0);
  }

  /** @param {number} delay_ms */
  #saveAfter(delay_ms) {
    clearTimeout(this.#timer);
    if (delay_ms === 0) void this.#save();
    else this.#timer = setTimeout(() => this.#save(), delay_ms);
  }

  async #save() {
    const { connection, study, listener } = this;
    this.#timer = 0;
    this.#isSaving = true;
    const text = this.#text;
    let problem = "";
    try {
      const saved = await saveChapter(connection, study.game, study.cache.root, text, { study: study.id, based_on_ms: this.#version_ms });
      this.#know(this.#treeOf(text), saved.updated_ms ?? 0);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      if (error.code === "study_changed") await this.#catchUp();
      else problem = error.message;
    }
    this.#isSaving = false;
    if (this.#held !== null) this.#take(this.#held);
    this.#held = null;
    listener.saving(problem);
    if (this.isSaved || (this.#isClosed && problem !== "")) return;
    this.#saveAfter(problem === "" ? (this.#isClosed ? 0 : SAVE_MS) : RETRY_MS);
  }

  /** Merge what others have saved. */
  async #catchUp() {
    const found = await this.connection.ask({ type: "get_study", study: this.study.id }).catch(() => null);
    if (found !== null) this.#merge(found.text, found.updated_ms);
  }

  /** @param {StudyNews} news */
  #hear(news) {
    if (this.#isSaving) this.#held = news;
    else this.#take(news);
  }

  /** @param {StudyNews} news */
  #take(news) {
    if (!this.#isClosed) this.listener.told(news);
    this.#merge(news.text, news.updated_ms);
    this.touch();
  }

  /** @param {string} text @param {number} version_ms */
  #merge(text, version_ms) {
    if (version_ms <= this.#version_ms) return;
    const theirs = this.#treeOf(text);
    mergeLines(this.study.tree.root, this.#base.root, theirs.root);
    this.#know(theirs, version_ms);
    if (!this.#isClosed) this.listener.merged();
  }

  /** @param {LineTree} tree What the server has. @param {number} version_ms */
  #know(tree, version_ms) {
    this.#base = tree;
    this.#savedText = movetextOf(tree);
    this.#version_ms = version_ms;
  }
}
