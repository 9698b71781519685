/** The host of a bot: accepts challenges by its rules, joins tournaments, and plays all its matches over one connection. */

import { RefusedError } from "../connection/requests.js";
import { SeatPlayer } from "./seat_player.js";

/** @import * as Interface from "./millrace.d.mts" */
/** @import { ChallengeRules, Seek, TournamentSummary } from "../protocol.js" */
/** @import { PlayerConnection } from "./player_connection.js" */

/** @implements {Interface.BotHost} */
export class BotHost {
  #connection;
  #rules;
  #decider;
  /** The matches that are played. @type {Set<string>} */
  #playing = new Set();
  /** Those, and finished ones in which a rematch may still be offered. @type {Set<string>} */
  #followed = new Set();
  /** The pending challenges that the bot has answered. @type {Set<string>} */
  #answered = new Set();
  /** The tournaments that the bot has joined, or tried to. @type {Set<string>} */
  #joined = new Set();
  #isLeaving = false;
  /** Ends the run. @type {(error?: unknown) => void} */
  #stop = () => {};

  /** @param {Interface.Connection} connection @param {ChallengeRules} rules @param {Interface.Decider} decider */
  constructor(connection, rules, decider) {
    this.#connection = /** @type {PlayerConnection} */ (/** @type {unknown} */ (connection));
    this.#rules = rules;
    this.#decider = decider;
  }

  async run() {
    const connection = this.#connection;
    await this.#setRules();
    this.#say(`${connection.player?.name} accepts challenges.`);
    const running = new AbortController();
    const { signal } = running;
    const ended = new Promise((resolve, reject) => {
      this.#stop = (error) => (error === undefined ? resolve(undefined) : reject(error));
    });
    connection.addEventListener("ended", () => this.#stop(connection.error), { signal });
    connection.addEventListener("welcome", () => this.#start(this.#setRules()), { signal });
    connection.addEventListener("lobby", () => this.#answerChallenges(), { signal });
    const unfollow = connection.follow({ type: "watch_your_matches" }, ({ matches }) => matches.forEach(({ match }) => this.#follow(match)));
    const unfollowTournaments = this.#decider.joins
      ? connection.follow({ type: "watch_tournaments" }, ({ tournaments }) => tournaments.forEach((each) => this.#joinIfWanted(each)))
      : () => {};
    this.#answerChallenges();
    this.#stopIfIdle();
    try {
      await ended;
    } finally {
      running.abort();
      unfollow();
      unfollowTournaments();
    }
  }

  leave() {
    this.#isLeaving = true;
    const pauses = [...this.#joined].map((tournament) => refusalOf(this.#connection.ask({ type: "leave_tournament", tournament })));
    this.#start(Promise.all([this.#setRules(), ...pauses]).then(() => this.#stopIfIdle()));
  }

  /** @param {TournamentSummary} summary */
  #joinIfWanted(summary) {
    const { tournament, plan } = summary;
    const isOpen = summary.status !== "over" && plan.bots && !summary.private;
    if (!isOpen || this.#isLeaving || this.#joined.has(tournament) || !this.#decider.joins?.(summary)) return;
    this.#joined.add(tournament);
    this.#start(this.#join(tournament, plan.name));
  }

  /** @param {string} tournament @param {string} name */
  async #join(tournament, name) {
    const refusal = await refusalOf(this.#connection.ask({ type: "join_tournament", tournament }));
    this.#say(refusal === null ? `Joined the tournament ${name}.` : `The tournament ${name} cannot be joined: ${refusal.message}`);
  }

  /** Tell the server which challenges the bot accepts; it forgets them with each connection. */
  #setRules() {
    return this.#connection.ask({ type: "set_challenge_rules", rules: this.#isLeaving ? null : this.#rules });
  }

  /** Run a task in the background; its error ends the run. @param {Promise<unknown>} task */
  #start(task) {
    task.catch((error) => this.#stop(error));
  }

  #stopIfIdle() {
    if (this.#isLeaving && this.#playing.size === 0) this.#stop();
  }

  #answerChallenges() {
    const { challenges } = this.#connection;
    const pending = new Set(challenges.map(({ match }) => match));
    for (const match of this.#answered) if (!pending.has(match)) this.#answered.delete(match);
    for (const challenge of challenges) {
      if (this.#answered.has(challenge.match)) continue;
      this.#answered.add(challenge.match);
      this.#start(this.#answer(challenge));
    }
  }

  /** @param {Seek} challenge */
  async #answer(challenge) {
    const { match, by, game } = challenge;
    const title = this.#connection.games.find(({ name }) => name === game)?.title ?? game;
    const event = `${by.name} challenges you to ${title}`;
    const isTaken = !this.#isLeaving && (this.#decider.takes?.(challenge) ?? true);
    try {
      await (isTaken ? this.#connection.join(match) : this.#connection.command({ type: "decline", match }));
      if (isTaken) this.#follow(match);
      this.#say(`${event}: ${isTaken ? "accepted" : "declined"}.`);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#say(`${event}, which failed: ${error.message}`);
    }
  }

  /** @param {string} match */
  #follow(match) {
    if (this.#followed.has(match)) return;
    this.#followed.add(match);
    this.#playing.add(match);
    this.#start(this.#play(match).finally(() => this.#followed.delete(match)));
  }

  /** Play a match, then wait a while for the offer of a rematch. @param {string} match */
  async #play(match) {
    const feed = this.#connection.watch(match);
    const player = new SeatPlayer(this.#connection, feed, this.#decider);
    try {
      const end = await player.play();
      this.#say(`${match} is over: ${end.explanation}.`);
    } catch (error) {
      if (!(error instanceof RefusedError)) throw error;
      this.#say(`${match}: ${error.message}`);
      return feed.close();
    } finally {
      this.#playing.delete(match);
      this.#stopIfIdle();
    }
    await player.answerRematches(() => !this.#isLeaving && this.#playing.size < (this.#rules.most_matches ?? 1));
  }

  /** @param {string} line */
  #say(line) {
    this.#decider.say?.(line);
  }
}

/** Return why a request was refused, or null. @param {Promise<unknown>} answer @returns {Promise<RefusedError | null>} */
async function refusalOf(answer) {
  try {
    await answer;
    return null;
  } catch (error) {
    if (!(error instanceof RefusedError)) throw error;
    return error;
  }
}
