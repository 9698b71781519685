/** The match page: it connects state, board and panels, and knows which ply is shown and from which side. */

import { addressOf } from "../analysis_address.js";
import { button, element } from "../element.js";
import { gettext } from "../language/texts.js";
import { rememberMatch } from "../recent_matches.js";
import { playSound } from "../sound.js";
import { offerShortcuts, openShortcutSheet } from "../shortcuts/shortcuts.js";
import { announce, toast } from "../toasts.js";
import { liveScene, pastScene } from "./board_scene.js";
import { BotThinking } from "./bot_thinking.js";
import { Countdown } from "./countdown.js";
import { announceEvents } from "./event_announcements.js";
import { HintBox } from "./hint_box.js";
import { illegalClickText } from "./illegal_click.js";
import { LimitView } from "./limit_view.js";
import { LowTimeWarning } from "./low_time_warning.js";
import { MatchCommands } from "./match_commands.js";
import { MatchControls } from "./match_controls.js";
import { matchNotFoundParts } from "./match_not_found.js";
import { MatchState } from "./match_state.js";
import { audienceText } from "./match_texts.js";
import { achievementEffects } from "./move_effects.js";
import { MoveBoard } from "./move_board.js";
import { MoveBox } from "./move_box.js";
import { MoveList } from "./move_list.js";
import { plyInAddress, putPlyInAddress } from "./ply_address.js";
import { PlanBox } from "./plan_box.js";
import { PositionBox } from "./position_box.js";
import { Premove } from "./premove.js";
import { RulesDialog } from "./rules_dialog.js";
import { SeatStrips } from "./seat_strips.js";
import { SeatTitles } from "./seat_titles.js";
import { ShareBox } from "./share_box.js";
import { StatusPanel } from "./status_panel.js";
import { pageTitle, statusText } from "./status_texts.js";
import { exampleMove, typedClicks } from "./typed_move.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Command, MatchMessage } from "../connection/questions.js" */
/** @import { PairingSearch } from "../lobby/pairing_search.js" */
/** @import { Event, Level } from "../protocol.js" */
/** @import { Opponent } from "./seat_plans.js" */

/** Interval for updating clocks; once per frame would keep the browser busy. */
const TICK_MS = 50;

export class MatchPage {
  #strips = new SeatStrips();
  /** Null for the live position. @type {number | null} */
  #shownPly = null;
  #timer = 0;
  #unfollow = () => {};
  #stopShortcuts = () => {};
  /** Removes the explanation of the last illegal click. */
  #dismiss = () => {};

  #board = new MoveBoard(
    {
      click: (key) => this.#click(key),
      drop: () => this.#drop(),
      changed: () => this.#show(),
      laidOut: (aspect) => this.element.style.setProperty("--aspect", aspect.toFixed(4)),
      trayOf: (seat, tray) => this.#strips.trayOf(seat, tray),
    },
    (seat) => this.#titles.colourOf(seat),
  );
  #limit = new LimitView();
  #lowTime = new LowTimeWarning();
  #countdown = new Countdown((forSeat, outcome) => this.commands.claim(forSeat, outcome));
  #about = element("p", { class: "about" });
  #status;
  #titles;
  #premove = new Premove(() => this.#drop());
  #moves = new MoveList((ply) => this.#lookAt(ply));
  #moveBox = new MoveBox((text) => this.#type(text));
  #position = new PositionBox(
    (ply) => this.connection.ask({ type: "describe", match: this.id, ply }),
    (text, opponent, level) => this.#playFrom(text, opponent, level),
    (text, ply) => this.navigate(addressOf(this.state.end === null ? { game: this.state.game, setup: text } : { match: this.id }, ply, [])),
  );
  #plan;
  #controls;
  #share;
  #hints;
  #thinking;
  #rules;
  /** Called when the match has loaded. */
  onLoad = () => {};

  /**
   * @param {Connection} connection
   * @param {string} id
   * @param {(path: string) => void} navigate
   * @param {PairingSearch} search
   */
  constructor(connection, id, navigate, search) {
    this.connection = connection;
    this.id = id;
    this.navigate = navigate;
    this.state = new MatchState(id, () => connection.player?.id);
    this.#titles = new SeatTitles(this.state, () => this.game);
    this.commands = new MatchCommands(connection, this.state, (command) => this.#takeBack(command));
    this.#controls = new MatchControls(connection, this.state, this.commands, search, navigate, () => this.#board.turn());
    this.#share = new ShareBox(connection, this.state);
    this.#plan = new PlanBox(connection, this.state, () => this.#titles);
    this.#hints = new HintBox(connection, this.state);
    this.#thinking = new BotThinking(connection, this.state);
    this.#rules = new RulesDialog(connection, () => this.game, this.#hints);
    this.#status = new StatusPanel(
      this.#board.choicePanel,
      {
        join: (seat) => this.commands.join(seat),
        fill: (seat, level) => this.commands.fill(seat, level),
        goLive: () => this.#lookAt(null),
        chooseStandIn: (forSeat, choice) => this.commands.chooseStandIn(forSeat, choice),
        drop: () => this.#drop(),
      },
      this.#rules.button,
    );
    this.element = element(
      "div",
      { class: "match-page" },
      this.#strips.above,
      this.#board.element,
      this.#strips.below,
      element(
        "div",
        { class: "side" },
        this.#status.element,
        this.#hints.element,
        element("div", { class: "notes" }, this.#premove.element, this.#countdown.element, this.#limit.element, this.#controls.next),
        this.#moves.element,
        ...this.#controls.elements,
      ),
      element(
        "div",
        { class: "more" },
        this.#moveBox.element,
        this.#plan.element,
        this.#about,
        this.#controls.more,
        this.#position.element,
        ...this.#share.elements,
        button(gettext("Keyboard shortcuts"), openShortcutSheet, { class: "button quiet shortcuts-button" }),
      ),
    );
    this.element.hidden = true;
    for (const part of [this.#position.element, this.#share.element]) part.hidden = this.state.isOnDevice; // only the server can
    this.onPart = () => this.#lookAt(plyInAddress());
    this.onBots = () => this.#show();
  }

  open() {
    this.#stopShortcuts = offerShortcuts({ title: gettext("Match"), shortcuts: this.#shortcuts, isActive: () => !this.element.hidden });
    addEventListener("hashchange", this.onPart);
    this.connection.addEventListener("bots", this.onBots);
    this.#follow();
    this.#controls.open();
    this.#tick();
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  close() {
    clearInterval(this.#timer);
    this.#stopShortcuts();
    removeEventListener("hashchange", this.onPart);
    this.connection.removeEventListener("bots", this.onBots);
    this.#thinking.close();
    this.#unfollow();
    this.#controls.close();
  }

  get game() {
    return this.connection.games.find((game) => game.name === this.state.game);
  }

  get #entry() {
    return this.#board.entry;
  }

  /** The shown ply. */
  get #ply() {
    return this.#shownPly ?? this.state.plies.length;
  }

  #follow() {
    this.#unfollow = this.connection.follow(this.state.request(), (message) => this.#receive(message));
  }

  /** @param {MatchMessage} message */
  #receive(message) {
    if (message.type === "refused") return void this.#refuse(message.code, message.message);
    const wasLoaded = this.state.isLoaded;
    const { news, isGap } = this.state.receive(message);
    if (isGap) this.#follow();
    if (!this.state.isLoaded || this.state.board === null) return;
    // A takeback may have removed the shown ply.
    if (this.#shownPly !== null && this.#shownPly >= this.state.plies.length) this.#shownPly = null;
    if (!wasLoaded) this.#shownPly = this.#existing(plyInAddress());
    if (this.#strips.count !== this.state.players.length) this.#build();
    if (this.state.position.board !== null) {
      this.#board.offer(this.state.position.board, this.state.moves, this.state.barredMoves, this.state.moveHighlights);
    }
    this.#premove.hear(news);
    this.#playPremove();
    if (wasLoaded) this.#showWays(news);
    this.#show(true);
    if (!wasLoaded || news.length > 0) this.#plan.hear(wasLoaded ? news : []);
    rememberMatch(this.state);
    this.#thinking.hear();
    if (wasLoaded) this.#tell(news);
    else this.onLoad();
  }

  /** Play the next premove if its turn has come, or let the reader complete it. */
  #playPremove() {
    const hadClicks = this.#entry.clicks.length > 0;
    const planned = this.#premove.redeem(this.state, this.#entry);
    if (planned !== null) this.commands.play(this.state.activeSeats[0], planned);
    else if (!hadClicks && this.#entry.clicks.length > 0) announce(statusText(this.state, this.#entry, this.game).headline);
  }

  /** Show the moves that arrived together one after the other, before what the reader enters after them. @param {Event[]} news */
  #showWays(news) {
    const count = news.filter(({ type }) => type === "moved").length;
    const { clicks } = this.#entry;
    // A piece that is only picked up stays so: the reader may be dragging it.
    const isPickedUp = clicks.length === 1 && this.state.position.piles.has(clicks[0]);
    const isEntering = clicks.length > 0;
    if (isPickedUp || this.#shownPly !== null || news.some(({ type }) => type === "taken_back") || count + Number(isEntering) < 2) return;
    const { length } = this.state.plies;
    for (let ply = length - count + 1; ply < length + Number(isEntering); ply += 1) {
      this.#board.show({ ...pastScene(this.state, ply, this.#titles), isQueued: true });
    }
  }

  /** Build the parts that depend on the number of seats. */
  #build() {
    const { players } = this.state;
    this.#strips.build(this.game, players.length);
    this.element.classList.toggle("many", players.length > 2);
    this.element.hidden = false;
  }

  /** @param {boolean} [isQueued] Whether the board waits for pieces that still move: the reader has not asked for this. */
  #show(isQueued = false) {
    const { state } = this;
    const shown = state.positions[this.#ply];
    if (shown.board === null) return;
    this.#board.showChoices(this.#shownPly === null);
    const scene =
      this.#shownPly === null
        ? liveScene(state, this.#entry, this.#titles, this.#board.choicePanel.amount, this.#premove.plan(state))
        : pastScene(state, this.#shownPly, this.#titles);
    this.#board.face(state.ownSeats[0] ?? 0, state.players.length, state.positions[0]);
    this.#board.show({ ...scene, isQueued });
    this.element.classList.toggle("past", this.#shownPly !== null);
    this.#moves.show(state.plies, this.#ply, state.players.length, state.notes);
    this.#status.show(state, this.#entry, this.game, this.#shownPly, this.connection.whyBotsWait(state.game));
    this.#controls.show(this.#titles.playerOf, this.game);
    this.#strips.show(state, scene.position, this.#ply);
    this.#position.show(shown, this.#ply, this.game);
    this.#share.show(this.#shownPly, this.#board.isTurned);
    this.#rules.show();
    this.#hints.show(this.#shownPly === null && state.toMove !== null && this.#entry.clicks.length > 0 && this.#entry.stage(state.position, state.toMove) === "take");
    this.#moveBox.show(state.isStarted && state.end === null && state.activeSeats.length > 0);
    this.#about.textContent = audienceText(state, this.game);
    document.title = pageTitle(state, this.#entry, this.game);
  }

  /** @param {Event[]} news The new events. */
  #tell(news) {
    announceEvents(this.state, news, this.#titles.nameOf, this.#titles.colourNameOf);
    if (news.some((event) => event.type === "ended")) this.element.classList.add("just-ended");
    const next = news.find((event) => event.type === "rematch_started");
    if (next && this.state.ownSeats.length > 0) this.navigate(`/match/${next.match}`);
  }

  /** @param {string} code @param {string} message */
  #refuse(code, message) {
    if (code !== "unknown_match") return void toast(message);
    this.close();
    document.title = `${gettext("No such match")} · Millrace`;
    this.element.hidden = false;
    this.element.className = "notice";
    this.element.replaceChildren(...matchNotFoundParts());
  }

  /** @param {string} key A cell or a choice. */
  #click(key) {
    const { state } = this;
    if (this.#shownPly !== null) return this.#lookAt(null);
    if (this.#premove.canPremove(state)) {
      this.#premove.click(key, state);
      return this.#show();
    }
    if (state.toMove === null || state.moves === null) return;
    const reason = illegalClickText(this.#entry, key, state.position, state.toMove);
    this.#dismiss();
    if (reason !== "") {
      this.#dismiss = toast(reason);
      playSound("barred", state.position.board?.shape);
    }
    const before = this.#entry.clicks.length;
    const clicks = this.#entry.click(key, this.#entry.stage(state.position, state.toMove));
    if (this.#entry.clicks.length < before) this.#premove.drop();
    this.#show();
    if (clicks !== null) {
      this.commands.play(state.toMove, clicks);
    } else if (this.#entry.stage(state.position, state.toMove) === "take") {
      announce(statusText(state, this.#entry, this.game).headline);
      if (this.#entry.highlights.length > 0) achievementEffects(state.position.board?.shape);
    }
  }

  /** @returns {boolean} Whether there were clicks to undo. */
  #drop() {
    const hasPlan = this.#premove.drop();
    const hasClicks = !this.#entry.isSent && this.#entry.clicks.length > 0;
    if (hasClicks) this.#entry.drop();
    if (hasPlan || hasClicks) this.#show();
    return hasPlan || hasClicks;
  }

  /** @param {number | null} ply */
  #lookAt(ply) {
    if (!this.state.isLoaded) return;
    this.#shownPly = this.#existing(ply);
    putPlyInAddress(this.#shownPly);
    this.#show();
  }

  /** @param {number | null} ply @returns {number | null} The same ply, or null for the live position if the match is shorter. */
  #existing(ply) {
    return ply === null || ply >= this.state.plies.length ? null : ply;
  }

  get #shortcuts() {
    return [
      ...this.#board.shortcuts,
      ...this.#moves.shortcuts,
      { keys: ["m"], label: gettext("Type a move"), run: () => this.#moveBox.focus() },
    ];
  }

  /**
   * Play a typed move, or enter its beginning.
   * @param {string} text
   * @returns {string} Why it cannot be played; empty if it can.
   */
  #type(text) {
    const { toMove, moves } = this.state;
    if (toMove === null || moves === null) return gettext("It is not your turn.");
    const clicks = typedClicks(moves, text);
    if (clicks === null) return gettext("“{text}” is not a legal move now. Type a move such as {example}.", { text, example: exampleMove(moves) });
    this.#lookAt(null);
    this.#entry.enter(clicks);
    this.#show();
    if (this.#entry.isSent) this.commands.play(toMove, clicks);
    else announce(statusText(this.state, this.#entry, this.game).headline);
    return "";
  }

  /**
   * Start a casual match from the shown position.
   * @param {string} setup
   * @param {Opponent} opponent
   * @param {Level} level
   */
  async #playFrom(setup, opponent, level) {
    const made = await this.commands.playFrom(setup, this.#ply, opponent, level);
    if (made !== null) this.navigate(`/match/${made.match}`);
  }

  /** @param {Command} command The refused command. */
  #takeBack(command) {
    if (command.type === "play") {
      this.#entry.drop();
      this.#premove.drop();
    }
    this.#show();
  }

  #tick() {
    const now_ms = this.connection.now_ms();
    this.#strips.tick(this.state, now_ms, this.#shownPly);
    this.#lowTime.tick(this.state, now_ms);
    this.#limit.tick(this.state, now_ms);
    if (this.state.isLoaded) this.#countdown.tick(this.state, now_ms, this.#titles.playerOf);
  }
}
