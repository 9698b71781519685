/**
 * A race: up to ten players solve the same puzzles for ninety seconds, and see one another's mill wheels turn down the stream.
 *
 * Anyone with the link can join until it starts, and watch afterwards.
 */

import { button, element } from "../element.js";
import { inviteCode, inviteLink } from "../invitation_link.js";
import { gettext, later, ngettext } from "../language/texts.js";
import { turnWheel } from "../mill_wheel.js";
import { announce, answerOrToast } from "../toasts.js";
import { RaceStream, placeOf } from "./race_stream.js";
import { RunPage } from "./run_page.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { RacePlayed, RaceView, Refused, StormPuzzle } from "../protocol.js" */

/** As in `server/learning/races/race.py`. */
const MOST_RACERS = 10;

/** @extends {RunPage<RacePlayed>} */
export class RacePage extends RunPage {
  /** @type {RaceView | null} */
  #view = null;
  /** When the first move may be made, by the page's clock. */
  #startsAt = 0;
  /** Whether the first puzzle is hidden until then. */
  #isWaiting = false;
  /** What the buttons offer; they are replaced only by others, so that they keep the focus. */
  #offered = "";
  #isOver = false;
  #stream = new RaceStream();
  #invitation;
  #unfollow = () => {};

  /** @param {Connection} connection @param {string} race From the address. @param {(path: string) => void} navigate */
  constructor(connection, race, navigate) {
    super(connection, "", gettext("Race"), later("Points: {score}"));
    this.race = race;
    this.navigate = navigate;
    const code = inviteCode(`/race/${race}`, gettext("QR code with the link to this race"));
    this.#invitation = element("div", { class: "extra" }, inviteLink(`/race/${race}`, gettext("Link to this race")), code);
    this.card.append(this.#invitation);
    this.side.append(this.#stream.element, element("p", {}, element("a", { href: "/race" }, gettext("Open another race"))));
  }

  /** @override */
  begin() {
    this.#unfollow = this.connection.follow({ type: "watch_race", race: this.race }, (message) => this.#receive(message));
  }

  /** @override */
  close() {
    super.close();
    this.#unfollow();
    if (this.#view?.starts_in_ms === null && this.#own) this.connection.ask({ type: "join_race", race: this.race, on: false }).catch(() => {});
  }

  /** The reader, if in the race. */
  get #own() {
    return this.#view?.racers.find(({ player }) => player.id === this.connection.player?.id);
  }

  /** @param {RaceView | Refused} message */
  #receive(message) {
    if (message.type !== "refused") return void this.#show(message);
    this.showInstead(element("p", { class: "notice" }, message.message), element("a", { class: "button primary", href: "/race" }, gettext("Open a race")));
  }

  /** @param {RaceView} view */
  #show(view) {
    const { racers, starts_in_ms, left_ms } = view;
    const isFirst = this.#view === null;
    this.#view = view;
    this.element.hidden = false;
    if (isFirst) this.#showBoard();
    this.#isOver ||= starts_in_ms !== null && left_ms === 0;
    this.#stream.show(racers, this.connection.player?.id, this.#isOver);
    this.#invitation.hidden = starts_in_ms !== null;
    this.clock.hidden = starts_in_ms === null;
    if (starts_in_ms === null) return this.#showWaiting(view);
    const now = performance.now();
    this.#startsAt = now + starts_in_ms;
    this.endsAt = now + left_ms;
    if (this.#isOver) return this.isRunning ? this.finish() : this.#showOver();
    if (this.isRunning) return;
    if (this.#own) return this.#enter();
    this.task.textContent = gettext("The race is on");
    this.text.textContent = gettext("You are watching.");
    this.clock.replaceChildren(this.clock.children[0]); // there is no own score
    this.#offer("");
    this.startTicking();
  }

  /** Show the board of the first puzzles' game. */
  async #showBoard() {
    const games = this.connection.games.filter(({ puzzles }) => puzzles > 0);
    const game = games.find(({ name }) => name === this.#view?.game) ?? games[0];
    this.game = game.name;
    await this.board.start({ game: game.name, setup: game.showcase ?? "" });
  }

  /** @param {RaceView} view */
  #showWaiting({ racers, starter }) {
    const { player } = this.connection;
    const count = ngettext("{count} player has joined.", "{count} players have joined.", racers.length);
    const first = racers.find((racer) => racer.player.id === starter)?.player;
    this.task.textContent = gettext("Race");
    this.text.textContent = `${gettext("Send the link to up to {count} friends. Everyone solves the same puzzles for ninety seconds. Each right move scores a point, and many in a row score more; a wrong move ends the puzzle.", { count: MOST_RACERS - 1 })} ${count}`;
    if (!this.#own) this.#offer("join", button(gettext("Join"), () => this.#ask("join_race"), { class: "button primary" }));
    else if (first?.id === player?.id) this.#offer("start", button(gettext("Start the race"), () => this.#ask("start_race"), { class: "button primary" }));
    else this.#offer(`wait ${first?.name}`, element("p", { class: "note" }, gettext("{player} starts the race.", { player: first?.name ?? "" })));
  }

  /** @param {string} offered @param {...HTMLElement} parts */
  #offer(offered, ...parts) {
    if (offered === this.#offered) return;
    this.#offered = offered;
    this.buttons.replaceChildren(...parts);
  }

  /** @param {"join_race" | "start_race"} type */
  async #ask(type) {
    await answerOrToast(this.connection.ask({ type, race: this.race }));
  }

  /** Get the own puzzles, and show the first one once the race begins. */
  async #enter() {
    this.isRunning = true;
    const run = await answerOrToast(this.connection.ask({ type: "get_race_run", race: this.race }));
    if (run === null) return void (this.isRunning = false);
    this.#startsAt = performance.now() + run.starts_in_ms;
    this.#isWaiting = run.starts_in_ms > 0;
    this.#offer("");
    this.showScore(run.you);
    if (this.#isWaiting) announce(gettext("The race is about to start."));
    await this.run(run.puzzles, run.left_ms, run.moves);
  }

  /** @override */
  async showPuzzle() {
    if (!this.#isWaiting) return super.showPuzzle();
    this.task.textContent = gettext("Get ready");
  }

  /** @override */
  tick() {
    const wait_ms = this.#startsAt - performance.now();
    if (wait_ms > 0) return this.showTime(wait_ms);
    if (this.#isWaiting) {
      this.#isWaiting = false;
      this.showPuzzle();
    }
    super.tick();
  }

  /** @override @param {StormPuzzle} puzzle @param {string[]} moves */
  async judge({ number }, moves) {
    const played = await answerOrToast(this.connection.ask({ type: "play_race", race: this.race, number, moves }));
    if (played === null) this.#enter(); // perhaps another tab has moved on
    return played;
  }

  /** @override @param {RacePlayed} played */
  showNews({ right, bonus }) {
    const points = bonus === 0 ? "" : ngettext("+{count} extra point", "+{count} extra points", bonus);
    this.news.textContent = right ? points : gettext("Wrong");
  }

  /** @override */
  finish() {
    this.#isOver = true;
    const own = this.isRunning ? this.#own : undefined;
    super.finish();
    this.#showOver();
    if (own && placeOf(own, this.#view?.racers ?? []) === 1) turnWheel("won");
  }

  #showOver() {
    if (this.#view === null) return;
    const { racers, next } = this.#view;
    const own = this.#own;
    this.#stream.show(racers, this.connection.player?.id, true);
    this.task.textContent = gettext("Time is up.");
    if (own !== undefined) this.news.textContent = gettext("Place {place} of {players}", { place: placeOf(own, racers), players: racers.length });
    const again = own !== undefined ? [button(gettext("Race again"), () => this.#raceAgain(), { class: "button primary" })] : [];
    const following = next === "" ? [] : [element("a", { href: `/race/${next}` }, gettext("The next race is open."))];
    this.#offer(`again ${next}`, ...again, ...following);
  }

  async #raceAgain() {
    const opened = await answerOrToast(this.connection.ask({ type: "open_race", game: "", after: this.race }));
    const race = opened?.race ?? this.#view?.next;
    if (race) this.navigate(`/race/${race}`);
  }
}
