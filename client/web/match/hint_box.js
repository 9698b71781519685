/**
 * Hints for beginners beside the board: what has just happened, and what the turn allows.
 *
 * The server writes them. In a player's matches of a game until one is over, one hint at a time is shown, until it is
 * known. A reader who has switched hints on sees all of them.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";
import { isKnown, markKnown, noteShown } from "./known_hints.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Remark, Remarks } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

const KEY = "millrace.hints";

export class HintBox {
  #text = element("div", { class: "hint-text", role: "status" });
  #clear = button(gettext("Got it"), () => this.#markKnown(), { class: "button quiet hint-clear" });
  element = element(
    "section",
    { class: "hint-box", "aria-label": gettext("Hint"), hidden: true },
    this.#text,
    this.#clear,
    button(icon("close"), () => this.choose(false), { class: "button quiet icon-button", "aria-label": gettext("Hide hints"), title: gettext("Hide hints") }),
  );
  /** The server's latest answer. @type {Remarks | null} */
  #told = null;
  /** The ply that the server was last asked about. */
  #askedAt = -1;
  #isTaking = false;
  /** The remark that a newcomer is shown, and the ply at which it was counted. @type {{ code: string, ply: number } | null} */
  #shown = null;

  /** @param {Connection} connection @param {MatchState} state */
  constructor(connection, state) {
    this.connection = connection;
    this.state = state;
  }

  /** Whether hints are shown in this match. */
  get isOn() {
    const chosen = recall(KEY);
    return chosen === null ? (this.#told?.is_newcomer ?? false) : chosen === "on";
  }

  /** @param {boolean} isOn */
  choose(isOn) {
    remember(KEY, isOn ? "on" : "off");
    this.#ask();
    this.#draw();
  }

  /** @param {boolean} isTaking Whether a move has been entered up to the piece that it takes. */
  show(isTaking) {
    this.#isTaking = isTaking;
    this.#ask();
    this.#draw();
  }

  /** Ask about each new position, as long as hints are shown. */
  async #ask() {
    const { state } = this;
    const ply = state.plies.length;
    const isPlaying = state.isLoaded && state.ownSeats.length > 0 && state.toMove !== null && state.end === null;
    const isWanted = recall(KEY) !== "off" && (this.#told === null || this.isOn);
    if (!isPlaying || !isWanted || ply === this.#askedAt) return;
    this.#askedAt = ply;
    const told = await this.connection.ask({ type: "get_remarks", match: state.id }).catch(() => null);
    if (told === null || told.ply < (this.#told?.ply ?? 0)) return;
    this.#told = told;
    this.#draw();
  }

  #draw() {
    const { state } = this;
    const told = this.#told;
    const isCurrent = told !== null && told.ply === state.plies.length && state.end === null;
    const texts = isCurrent && this.isOn ? this.#texts(told) : [];
    this.element.hidden = texts.length === 0;
    this.#clear.hidden = recall(KEY) === "on" || this.#isTaking;
    const words = texts.join(" ");
    if (this.#text.textContent !== words) this.#text.textContent = words;
  }

  /** @param {Remarks} told */
  #texts(told) {
    const game = { name: this.state.game };
    if (this.#isTaking && told.taking !== "") return [takingText(told, game)];
    const remarks = recall(KEY) === "on" ? told.remarks : this.#next(told);
    return remarks.map((remark) => remarkText(remark, told, game));
  }

  /** The one remark that a newcomer does not know yet; the shown one stays for its turn. @param {Remarks} told */
  #next({ remarks, ply }) {
    const { game } = this.state;
    const isShown = (/** @type {Remark} */ { code }) => this.#shown?.ply === ply && this.#shown.code === code;
    const next = remarks.find(isShown) ?? remarks.find(({ code }) => !isKnown(game, code));
    if (next === undefined) return [];
    if (!isShown(next)) noteShown(game, next.code);
    this.#shown = { code: next.code, ply };
    return [next];
  }

  #markKnown() {
    if (this.#shown !== null) markKnown(this.state.game, this.#shown.code);
    this.#shown = null;
    this.#draw();
  }
}

/** @param {Remark} remark @param {Remarks} told @param {{ name: string }} game */
function remarkText({ message = "", values = {} }, { names }, game) {
  return gameText(game, message, { ...values, ...namesIn(names, game) });
}

/** @param {Remarks} told @param {{ name: string }} game */
function takingText({ taking_message, names }, game) {
  return gameText(game, taking_message, { next: gameText(game, names.after) });
}

/** @param {{ [key: string]: string }} names @param {{ name: string }} game */
function namesIn(names, game) {
  return Object.fromEntries(Object.entries(names).map(([key, name]) => [key, gameText(game, name)]));
}
