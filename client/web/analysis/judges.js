/**
 * Who judges the moves of a match: the engine in the page, without limits, or the server, which has opening books and
 * tables of endings too, and keeps what it finds. What fails rejects with the reason in words. No DOM.
 */

import { accuracyOf, turningPoint } from "../engine/judging.js";
import { PageEngine } from "../engine/page_engine.js";
import { gettext } from "../language/texts.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { MatchState } from "../match/match_state.js" */
/** @import { EngineLine, MatchAnalysed, Score } from "../protocol.js" */

/** @typedef {Pick<MatchAnalysed, "plies" | "accuracies" | "turning_point"> & { is_final?: boolean }} Report Without `is_final`, apparent mistakes are still being checked. */
/** @typedef {{ best: Score, tried: Score }} Comparison The scores of the best move and of the one that was tried. */

/** Search time of the server for comparing a move. */
const COMPARE_SECONDS = 2;

export class ServerJudge {
  isServer = true;
  /** @type {() => void} */
  #endReview = () => {};
  /** @type {() => void} */
  #endComparison = () => {};

  /** @param {Connection} connection @param {string} match */
  constructor(connection, match) {
    this.connection = connection;
    this.match = match;
  }

  /** @returns {Promise<Report | null>} The review that the server has stored; null for none. */
  stored() {
    return new Promise((resolve) => {
      this.connection.stream({ type: "analyse_match", match: this.match, only_stored: true }, (message) => {
        resolve(message.type === "match_analysed" ? { ...message, is_final: true } : null);
      });
    });
  }

  /**
   * @param {(done: number) => void} progress Receives the number of judged moves.
   * @param {(report: Report) => void} tell Receives the report, perhaps several times, each better than the one before.
   * @returns {Promise<void>} Once the report is final.
   */
  review(progress, tell) {
    return new Promise((resolve, reject) => {
      this.#endReview = this.connection.stream({ type: "analyse_match", match: this.match }, (message) => {
        if (message.type === "refused") reject(new Error(message.message));
        else if (message.type === "match_progress") progress(message.done);
        else if (message.type === "match_analysed") {
          tell({ ...message, is_final: true });
          resolve();
        }
      });
    });
  }

  /** @param {number} ply The plies before the move. @param {string} move @returns {Promise<Comparison>} */
  compare(ply, move) {
    this.#endComparison();
    const line = { match: this.match, ply, moves: [] };
    return new Promise((resolve, reject) => {
      this.#endComparison = this.connection.stream({ type: "analyse", line, seconds: COMPARE_SECONDS, also: move }, (message) => {
        if (message.type === "refused") reject(new Error(message.message));
        else if (message.type === "evaluated" && message.is_final && message.also) resolve({ best: message.variations[0].score, tried: message.also.score });
      });
    });
  }

  close() {
    this.#endReview();
    this.#endComparison();
  }
}

export class PageJudge {
  isServer = false;
  #engine;
  /** Compares while the other one may still be reviewing. */
  #second = new PageEngine();
  #line;
  #state;

  /** @param {PageEngine} engine @param {EngineLine} line The whole match. @param {MatchState} state */
  constructor(engine, line, state) {
    this.#engine = engine;
    this.#line = line;
    this.#state = state;
  }

  /**
   * @param {Connection} connection
   * @param {string} match
   * @param {MatchState} state
   * @returns {Promise<PageJudge | null>} Null if the page's engine cannot judge this match.
   */
  static async of(connection, match, state) {
    const engine = new PageEngine();
    const count = state.plies.length;
    if (!engine.isUsable || count === 0) return null;
    const whole = state.isOnDevice ? { game: state.game, setup: "", moves: state.plies.map(({ move }) => move) } : { match, ply: count, moves: [] };
    const line = await connection.ask({ type: "get_engine_line", line: whole }).catch(() => null);
    // An engine does not know the moves before a start that the players have laid.
    return line !== null && line.module !== null && line.moves.length === count ? new PageJudge(engine, line, state) : null;
  }

  /**
   * @param {(done: number) => void} progress Receives the number of judged moves.
   * @param {(report: Report) => void} tell Receives the report, perhaps several times, each better than the one before.
   * @returns {Promise<void>} Once the report is final.
   */
  review(progress, tell) {
    const { plies: played, end, players } = this.#state;
    return new Promise((resolve, reject) => {
      this.#engine.review(this.#line, (answer) => {
        if (answer === null) return reject(failed());
        if (answer.judged === null) return progress(answer.done);
        const plies = answer.judged.map((judged, ply) => ({ ...judged, move: played[ply].move }));
        const accuracies = players.map((_, seat) => accuracyOf(plies, seat));
        tell({ plies, accuracies, turning_point: turningPoint(plies, end?.ranks ?? null), is_final: answer.is_final });
        if (!answer.is_final) return;
        this.#engine.close();
        resolve();
      });
    });
  }

  /** @param {number} ply The plies before the move. @param {string} move @returns {Promise<Comparison>} */
  compare(ply, move) {
    const line = { ...this.#line, moves: this.#line.moves.slice(0, ply) };
    return new Promise((resolve, reject) => {
      this.#second.judge(line, move, (answer) => {
        if (answer === null) return reject(failed());
        resolve({ best: answer.judged.best.score, tried: answer.judged.score });
      });
    });
  }

  close() {
    this.#engine.close();
    this.#second.close();
  }
}

function failed() {
  return new Error(gettext("The engine in this page has failed."));
}
