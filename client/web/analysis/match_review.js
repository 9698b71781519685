/** A finished match on the analysis board: loading, the engine's report, and lessons. */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { MatchState } from "../match/match_state.js";
import { matchNotFoundParts } from "../match/match_not_found.js";
import { playerName, scoreOf } from "../match/match_texts.js";
import { PageJudge, ServerJudge } from "./judges.js";
import { Lesson } from "./lesson.js";
import { LineTree } from "./line_tree.js";
import { addMovetext, takeNote } from "./movetext.js";
import { ReviewPanel } from "./review_panel.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { MatchMessage } from "../connection/questions.js" */
/** @import { Annotated, JudgedPly, Judgement, Score } from "../protocol.js" */
/** @import { AnalysisPage } from "./analysis_page.js" */
/** @import { Report } from "./judges.js" */
/** @import { LineNode } from "./line_tree.js" */

export class MatchReview {
  #panel;
  /** @type {PageJudge | ServerJudge} */
  #judge;
  /** @type {Report | null} */
  #report = null;
  /** @type {Lesson | null} */
  #lesson = null;
  #isOpened = false;
  #tree = new LineTree();
  #unfollow = () => {};
  #isClosed = false;

  /** @param {Connection} connection @param {string} match @param {AnalysisPage} page */
  constructor(connection, match, page) {
    this.connection = connection;
    this.match = match;
    this.page = page;
    this.state = new MatchState(match, () => connection.player?.id);
    this.#judge = new ServerJudge(connection, match);
    this.#panel = new ReviewPanel({
      begin: () => (this.state.isOnDevice ? this.#beginReview() : this.#review(new ServerJudge(connection, match))),
      go: (ply) => page.go(this.#nodeAt(ply)),
      better: (ply) => this.#showBetter(ply),
      learn: (seat) => this.#teach(seat),
    });
  }

  open() {
    this.#unfollow = this.connection.follow(this.state.request(), (message) => this.#receive(message));
  }

  close() {
    this.#isClosed = true;
    this.#judge.close();
    this.#unfollow();
  }

  /** @returns {readonly JudgedPly[] | null} */
  get #plies() {
    return this.#report?.plies ?? null;
  }

  /** Whether the reader is searching for a better move, so that results must stay hidden. */
  get isTeaching() {
    return this.#lesson !== null && this.#lesson.stage !== "shown" && this.#lesson.stage !== "right";
  }

  /** Whether the engine is judging an attempt. */
  get isJudging() {
    return this.#lesson?.stage === "judging";
  }

  /** @param {LineNode} node @returns {Judgement | null} Of the match move that led there; null while unknown. */
  judgementOf(node) {
    return (node.isFixed && this.#plies?.[node.ply - 1]?.judgement) || null;
  }

  /** @param {LineNode} node @returns {Score | null} What a position of the match is score. */
  scoreAt(node) {
    if (!node.isFixed || this.#plies === null) return null;
    return this.#plies[node.ply]?.best.score ?? this.#plies[node.ply - 1]?.score ?? null;
  }

  /** @param {number} seat */
  playerOf(seat) {
    return playerName(this.state.players[seat] ?? null);
  }

  /** @param {number} seat */
  scoreOf(seat) {
    return this.state.end?.ranks ? scoreOf(this.state.end.ranks, seat) : "";
  }

  /** @param {number} ply The shown ply of the match. */
  show(ply) {
    if (this.#report !== null) this.#panel.show(this.#report, ply, this.#seats);
  }

  /** @param {string} move The attempt in a lesson. */
  try(move) {
    const lesson = this.#lesson;
    if (lesson === null || !lesson.isAsking || !lesson.try(move)) return this.#afterLesson();
    const settle = (/** @type {() => void} */ act) => {
      if (lesson === this.#lesson) act();
      this.#afterLesson();
    };
    this.#judge.compare(lesson.ply, move).then(
      ({ best, tried }) => settle(() => lesson.judge(best, tried)),
      (/** @type {Error} */ { message }) => settle(() => lesson.refuse(message)),
    );
  }

  get #seats() {
    const { page, state } = this;
    return {
      count: page.seats.count,
      nameOf: page.nameOf.bind(page),
      colourOf: page.colourOf.bind(page),
      playerOf: (/** @type {number} */ seat) => `${page.nameOf(seat)} · ${this.playerOf(seat)}`,
      spent_ms: state.isImported ? null : state.plies.map(({ spent_ms = 0 }) => spent_ms),
    };
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    if (message.type === "refused") return this.#refuse(message.code, message.message);
    const { isGap } = this.state.receive(message);
    if (isGap) return this.open();
    if (!this.state.isLoaded || this.state.board === null || this.#isOpened) return;
    if (this.state.end === null) return this.#wait();
    this.#isOpened = true;
    this.#begin();
  }

  #begin() {
    const { state, page } = this;
    this.#tree = new LineTree(state.plies.map(({ move }) => move));
    for (const [ply, note] of state.notes) this.#takeNote(ply, note);
    page.element.className = "match-page analysis-page of-match";
    page.openMatch(this.match, state.game, this.#tree, (cache) => {
      for (let ply = 0; ply <= state.plies.length; ply += 1) cache.know(this.#nodeAt(ply), state.positions[ply]);
      page.seats.set(state.players.length, state.plies[0]?.seat ?? 0, state.ownSeats[0]);
    });
    const link = element("a", { href: `/match/${this.match}` }, gettext("Back to the match"));
    this.#beginReview();
    page.reviewSlot.replaceChildren(...(state.plies.length === 0 ? [] : [this.#panel.element]), element("p", { class: "note" }, link));
  }

  /** Show what the record of an imported match says. @param {number} ply @param {Annotated} note */
  #takeNote(ply, { comment = "", glyphs = [], variations = [] }) {
    const node = this.#nodeAt(ply);
    takeNote(node, [...glyphs.map((glyph) => `$${glyph}`), comment === "" ? "" : `{${comment}}`].join(" "));
    for (const variation of variations) addMovetext(this.#tree, variation, node.parent ?? node);
  }

  /** A running match cannot be analysed. */
  #wait() {
    const { page } = this;
    document.title = `${gettext("Still being played")} · Millrace`;
    page.element.hidden = false;
    page.element.className = "notice";
    page.element.replaceChildren(
      element("h1", {}, gettext("This match is still being played")),
      element("p", {}, gettext("You can analyse it once it is over. Until then the engine is off limits for everyone.")),
      element("a", { class: "button primary", href: `/match/${this.match}` }, gettext("Watch the match")),
    );
  }

  /** @param {string} code @param {string} message */
  #refuse(code, message) {
    const { element: whole } = this.page;
    whole.hidden = false;
    whole.className = "notice";
    whole.replaceChildren(...(code === "unknown_match" ? matchNotFoundParts() : [element("p", {}, message)]));
  }

  /** The page's own engine judges the match at once, if it can and the server has not; else the reader can ask the server. */
  async #beginReview() {
    if (!this.state.isOnDevice) new ServerJudge(this.connection, this.match).stored().then((report) => this.#takeStored(report));
    const judge = await PageJudge.of(this.connection, this.match, this.state);
    if (this.#isClosed) return;
    if (judge === null && this.state.isOnDevice) return;
    if (this.#report !== null) this.#judge = judge ?? this.#judge;
    else if (judge === null) this.#panel.offer(gettext("Request analysis"), "");
    else this.#review(judge);
  }

  /** Show the stored review instead of another one, unless that has already been shown. @param {Report | null} report */
  #takeStored(report) {
    if (report === null || this.#isClosed || this.#report?.is_final) return;
    this.#judge.close();
    this.#take(report);
  }

  /** Beside the report, also under the headline, which is always in the window. @param {number} done */
  #progress(done) {
    const total = this.state.plies.length;
    this.#panel.progress(done, total);
    this.page.element.style.setProperty("--reviewed", `${(100 * done) / total}%`);
  }

  /** @param {Report} report */
  #take(report) {
    this.page.element.style.setProperty("--reviewed", report.is_final ? "0" : "100%");
    this.#report = report;
    this.page.refresh();
  }

  /** @param {PageJudge | ServerJudge} judge */
  async #review(judge) {
    const before = this.#judge;
    before.close();
    this.#judge = judge;
    this.#progress(0);
    try {
      await judge.review((done) => this.#progress(done), (report) => this.#take(report));
      if (!judge.isServer && !this.state.isOnDevice && this.connection.player?.registered) this.#panel.offer(gettext("Review it on the server"), gettext("It has opening books and tables of endings, and keeps your mistakes as puzzles."));
    } catch (error) {
      this.#judge = before;
      this.page.element.style.setProperty("--reviewed", "0");
      this.#panel.offer(gettext("Request analysis"), /** @type {Error} */ (error).message);
    }
  }

  /** Add the better line as a variation and show it. @param {number} ply Counted from 0. */
  #showBetter(ply) {
    let node = this.#nodeAt(ply);
    const from = node;
    for (const move of this.#plies?.[ply]?.best.moves ?? []) node = this.#tree.add(node, move);
    this.page.go(from.children.find(({ move }) => move === this.#plies?.[ply].best.moves[0]) ?? from);
  }

  /** @param {number} seat */
  #teach(seat) {
    if (this.#plies === null) return;
    const lesson = new Lesson(this.#plies, seat, this.page.nameOf(seat), {
      pose: (ply) => this.page.go(this.#nodeAt(ply)),
      show: (ply) => this.#showBetter(ply),
      end: () => this.#endLesson(),
    });
    this.#lesson = lesson;
    this.page.lessonSlot.replaceChildren(lesson.element);
    lesson.pose();
    lesson.element.scrollIntoView({ block: "nearest" });
  }

  /** Show the engine's results again. */
  #afterLesson() {
    this.page.refresh();
  }

  #endLesson() {
    this.#lesson = null;
    this.page.lessonSlot.replaceChildren();
    this.page.refresh();
  }

  /** @param {number} ply @returns {LineNode} */
  #nodeAt(ply) {
    let node = this.#tree.root;
    for (let at = 0; at < ply && node.children[0]; at += 1) node = node.children[0];
    return node;
  }
}
