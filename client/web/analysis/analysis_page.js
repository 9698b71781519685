/**
 * The analysis board: a position or a match, variations, the engine and the tablebase.
 *
 * It connects the tree, the board and the panels, and knows which node is shown. It works for any game and number of
 * seats: the server supplies the legal moves.
 */

import { element } from "../element.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { gettext } from "../language/texts.js";
import { MoveBoard } from "../match/move_board.js";
import { liveScene, pastScene } from "../match/board_scene.js";
import { offerShortcuts } from "../shortcuts/shortcuts.js";
import { recall } from "../storage.js";
import { placeAt } from "../analysis_address.js";
import { LineList, lineText } from "./line_list.js";
import { LineTree } from "./line_tree.js";
import { MatchReview } from "./match_review.js";
import { addMovetext } from "./movetext.js";
import { OpeningPanel } from "./opening_panel.js";
import { EvaluationPanels } from "./evaluation_panels.js";
import { Seats } from "./seats.js";
import { SetupBox } from "./setup_box.js";
import { Study } from "./study.js";
import { StudyTools } from "./study_tools.js";
import { REST_MS } from "./engine_search.js";
import { positionText } from "./evaluation_texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { PositionCache } from "./position_cache.js" */
/** @import { Practice } from "./opening_practice.js" */
/** @import { Opponent } from "../match/seat_plans.js" */
/** @import { Level } from "../protocol.js" */
/** @import { Lines } from "./line_list.js" */
/** @import { LineNode } from "./line_tree.js" */

const GAME_KEY = "millrace.game";

export class AnalysisPage {
  /** Null until the game is known. @type {Study | null} */
  #study = null;
  #timer = 0;
  #stopWaiting = () => {};
  game = "";

  #board = new MoveBoard(
    {
      click: (key) => this.#click(key),
      drop: () => this.#drop(),
      changed: () => this.#show(),
      turned: () => this.#seats.turn(),
      laidOut: (aspect) => this.element.style.setProperty("--aspect", aspect.toFixed(4)),
      draw: (drawing) => this.#tools.draw(drawing),
    },
    (seat) => this.colourOf(seat),
  );
  #seats = new Seats(
    (seat) => this.nameOf(seat),
    (seat) => this.colourOf(seat),
  );
  #headline = element("p", { class: "analysis-status", role: "status" });
  #lines = new LineList({
    go: (node) => this.go(node),
    promote: (node) => this.#promote(node),
    remove: (node) => this.#remove(node),
  });
  #source;
  #opinions;
  #openings;
  #tools;
  /** @type {MatchReview | null} */
  #review = null;
  /** @type {(() => void)[]} */
  #stopShortcuts = [];

  /**
   * @param {Connection} connection
   * @param {string} _id Unused: the page reads the whole address.
   * @param {(path: string) => void} navigate
   */
  constructor(connection, _id, navigate) {
    this.connection = connection;
    this.navigate = navigate;
    this.#source = new SetupBox(connection, navigate, (opponent, level) => this.#playFrom(opponent, level));
    this.#opinions = new EvaluationPanels(connection, {
      play: (moves) => this.#playOn(moves),
      think: (isMore) => this.#think(isMore),
      changed: () => this.#show(),
    });
    const openings = { play: (/** @type {readonly string[]} */ moves) => this.#playOn(moves), practise: (/** @type {Practice} */ practice) => this.#practise(practice) };
    this.#openings = new OpeningPanel(connection, openings, () => this.#show());
    this.#tools = new StudyTools(connection, {
      study: () => this.#study,
      changed: () => this.#show(),
      go: (node) => this.go(node),
      navigate,
      pencil: (isDrawing) => (this.#board.isDrawing = isDrawing),
    });
    this.place = placeAt(location);
    this.reviewSlot = element("div", { class: "review" });
    this.lessonSlot = element("div", { class: "lesson-slot" });
    this.element = element(
      "div",
      { class: "match-page analysis-page" },
      element("h1", { class: "visually-hidden" }, gettext("Analysis")),
      this.#seats.above,
      element("div", { class: "board-and-bar" }, this.#opinions.bar.element, this.#board.element),
      this.#seats.below,
      element(
        "div",
        { class: "side" },
        this.#tools.heading.element,
        element("div", { class: "analysis-head" }, this.#headline, this.#tools.pencil, this.#board.turnButton()),
        this.#board.choicePanel.element,
        this.lessonSlot,
        this.#opinions.engine.element,
        this.#opinions.endings.element,
        this.#lines.element,
        this.#tools.notes.element,
        this.#openings.element,
        this.#tools.studies.element,
        this.#source.element,
      ),
      this.reviewSlot,
    );
    this.element.hidden = true;
  }

  open() {
    document.title = `${gettext("Analysis")} · Millrace`;
    const board = { title: gettext("Board"), shortcuts: this.#board.shortcuts, isActive: () => !this.element.hidden };
    const moves = { title: gettext("Moves"), shortcuts: this.#lines.shortcuts, isActive: () => !this.element.hidden && !this.#review?.isTeaching };
    this.#stopShortcuts = [board, moves].map(offerShortcuts);
    this.#stopWaiting = this.connection.whenKnown(() => this.#begin());
  }

  close() {
    clearTimeout(this.#timer);
    for (const stop of this.#stopShortcuts) stop();
    this.#stopWaiting();
    this.#opinions.close();
    this.#tools.close();
    this.#lines.stop();
    this.#review?.close();
  }

  /** @param {number} seat */
  nameOf(seat) {
    return seatName(this.gameInfo, seat);
  }

  /** @param {number} seat */
  colourOf(seat) {
    return seatColour(this.gameInfo, seat);
  }

  get gameInfo() {
    return this.connection.games.find(({ name }) => name === this.game);
  }

  get seats() {
    return this.#seats;
  }

  /** Once the games are known. */
  async #begin() {
    const { games } = this.connection;
    const { moves, study } = this.place;
    const stored = study === "" ? null : await this.#tools.load(study);
    if (study !== "" && stored === null) return this.#giveUp(gettext("There is no such study"));
    const root = stored === null ? this.place.root : this.#tools.rootOf(stored);
    if (root !== null && "match" in root) {
      this.#review = new MatchReview(this.connection, root.match, this);
      this.#review.open();
      return;
    }
    const known = games.find(({ name }) => name === recall(GAME_KEY)) ?? games[0];
    this.game = root === null ? known.name : root.game;
    const tree = new LineTree();
    if (stored !== null) addMovetext(tree, stored.text);
    this.#study = new Study(this.connection, this.game, root ?? { game: this.game, setup: "" }, tree, stored?.study);
    this.go(tree.follow(moves));
  }

  /**
   * Start from the moves of a match.
   * @param {string} match
   * @param {string} game
   * @param {LineTree} tree
   * @param {(cache: PositionCache) => void} tell Receives the cache, to add the known positions.
   */
  openMatch(match, game, tree, tell) {
    this.game = game;
    const { stored } = this.#tools;
    if (stored !== null) addMovetext(tree, stored.text);
    this.#study = new Study(this.connection, game, { match }, tree, stored?.study);
    tell(this.#study.cache);
    const { ply, moves } = this.place;
    // The moves of a study's link begin at the start.
    if (stored !== null) return this.go(tree.follow(moves));
    let node = tree.root;
    for (let at = ply ?? tree.end.ply; at > 0 && node.children[0]?.isFixed; at -= 1) node = node.children[0];
    for (const move of moves) node = tree.add(node, move);
    this.go(node);
  }

  /** Show a node of the tree. @param {LineNode} node */
  go(node) {
    const study = /** @type {Study} */ (this.#study);
    this.#drop();
    study.turnTo(node);
    this.#opinions.end();
    clearTimeout(this.#timer);
    // Ask the engine only once the reader stays at a node.
    this.#timer = setTimeout(() => this.#rest(study, node), study.cache.position(node) === null ? 0 : REST_MS);
    this.#show();
  }

  /** @param {Study} study @param {LineNode} node */
  async #rest(study, node) {
    this.#opinions.prepare(study.cache, node);
    const isPlayable = await study.learn(node, !this.#seats.areKnown);
    if (!isPlayable) return this.#leave(study, node);
    const root = study.cache.told(study.tree.root);
    if (root !== null) this.#seats.learn(root);
    this.element.classList.toggle("many", this.#seats.count > 2);
    if (node !== study.node) return;
    this.#show();
    this.#think();
    this.#opinions.probeTablebase(study.cache, node);
    this.#openings.ask(study.cache, node);
  }

  /**
   * An address can name a line that cannot be played: stop before the illegal move.
   * @param {Study} study
   * @param {LineNode} node
   */
  #leave(study, node) {
    if (node.parent !== null) return this.go(study.tree.remove(node));
    this.#giveUp(gettext("This position cannot be analysed"));
  }

  /** @param {string} reason Why there is nothing to show. */
  #giveUp(reason) {
    this.element.hidden = false;
    this.element.className = "notice";
    this.element.replaceChildren(
      element("h1", {}, reason),
      element("a", { class: "button primary", href: "/analysis" }, gettext("Open the analysis board")),
    );
  }

  /** The match review has changed. */
  refresh() {
    this.#show();
    this.#think();
  }

  #show() {
    const study = this.#study;
    if (study === null || !this.#seats.areKnown) return;
    const view = this.#view(study);
    this.#lines.show(view);
    this.#tools.show();
    this.#showOpinions(study, view);
    this.#review?.show(study.fixedNode.ply);
    if (!this.#showBoard(study)) return;
    this.element.hidden = false;
    this.#headline.textContent = study.told === null ? "…" : positionText(study.told, (seat) => this.nameOf(seat));
    this.#source.show(this.connection.games, this.game, study.told?.position ?? "", study.told?.notations ?? {}, lineText(view), this.#opinions.tables(study.node), study.toMove === null || study.told?.position === "");
  }

  /** @param {Study} study @returns {Lines} */
  #view({ tree, node }) {
    const judgementOf = (/** @type {LineNode} */ each) => this.#review?.judgementOf(each) ?? null;
    return { tree, node, seats: this.#seats.count, firstSeat: this.#seats.first, judgementOf };
  }

  /** @param {Study} study @param {Lines} view */
  #showOpinions({ node, told, toMove }, view) {
    const nameOf = this.nameOf.bind(this);
    const judged = this.#review?.scoreAt(node) ?? null;
    const isQuiet = this.#review?.isTeaching ?? false;
    this.#opinions.show(view, { final: told?.score ?? null, judged, isTurned: this.#seats.isTurned, isQuiet, mover: nameOf(toMove ?? 0), nameOf });
    this.#openings.show(node, { isQuiet, seats: this.#seats.count, nameOf, game: this.gameInfo });
  }

  /** @param {Study} study @returns {boolean} Whether the position is known. */
  #showBoard({ cache, tree, node, told, toMove }) {
    const played = cache.played(node, this.#seats.moverOf(node.ply));
    if (played === null || played.position.board === null) return false;
    this.#board.offer(played.position.board, told?.moves ?? null, told?.refused ?? null);
    this.#board.showChoices(toMove !== null);
    const { entry, choicePanel } = this.#board;
    const seats = { nameOf: this.nameOf.bind(this), colourOf: this.colourOf.bind(this) };
    const advised = this.#review?.isTeaching ? [] : this.#opinions.advised(node);
    const scene = toMove === null ? pastScene(played, played.plies.length, seats, null, advised) : liveScene(played, entry, seats, choicePanel.amount, null, advised);
    this.#board.face(this.#seats.own, this.#seats.count, cache.position(tree.root));
    this.#board.show({ ...scene, drawings: node.drawings });
    this.#seats.show(played.position.reserves, toMove, this.#review);
    return true;
  }

  /** @param {string} key A cell or a choice. */
  #click(key) {
    const { toMove = null, cache, node } = this.#study ?? {};
    const position = node && cache?.position(node);
    if (toMove === null || !position || this.#review?.isJudging) return;
    const { entry } = this.#board;
    const clicks = entry.click(key, entry.stage(position, toMove));
    this.#show();
    if (clicks !== null) this.#play(clicks.join(" "));
  }

  /** @param {string} clicks The clicks of a complete move. */
  async #play(clicks) {
    const study = /** @type {Study} */ (this.#study);
    const { node } = study;
    const told = await study.try(clicks);
    if (node !== study.node) return;
    if (told === null || this.#review?.isTeaching) this.#drop();
    if (told === null) return;
    if (this.#review?.isTeaching) return this.#review.try(told.move);
    const next = study.add([told.move]);
    study.cache.take(next, told);
    this.go(next);
  }

  /** @param {Opponent} opponent @param {Level} level */
  async #playFrom(opponent, level) {
    const started = await this.#study?.playFrom(this.#seats.count, opponent, level);
    if (started) this.navigate(`/match/${started.match}`);
  }

  /** @param {Practice} practice */
  async #practise({ setup, seat, level }) {
    const seats = setup === null ? this.#seats.count : (this.gameInfo?.seats[0] ?? 2);
    const started = await this.#study?.practise(setup, seats, seat, level);
    if (started) this.navigate(`/match/${started.match}`);
  }

  /** @param {readonly string[]} moves */
  #playOn(moves) {
    if (this.#study !== null) this.go(this.#study.add(moves));
  }

  /** @returns {boolean} Whether there were clicks to undo. */
  #drop() {
    const { entry } = this.#board;
    const hasClicks = entry.clicks.length > 0;
    entry.drop();
    if (hasClicks) this.#show();
    return hasClicks;
  }

  /** @param {LineNode} node */
  #promote(node) {
    this.#study?.tree.promote(node);
    this.#study?.keep();
    this.#show();
  }

  /** @param {LineNode} node */
  #remove(node) {
    if (this.#study !== null) this.go(this.#study.tree.remove(node));
  }

  /** @param {boolean} [isMore] */
  #think(isMore = false) {
    if (this.#study === null || this.#review?.isTeaching) return;
    const { cache, node, told } = this.#study;
    if (told?.to_move === null) return this.#opinions.end();
    this.#opinions.think(cache, node, isMore);
    this.#show();
  }
}
