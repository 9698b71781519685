/**
 * Hints for beginners beside the board: what has just happened, and what the turn allows.
 *
 * The server writes them. They appear in a player's matches of a game until one is over, unless the reader has switched
 * them on or off.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gameText } from "../language/game_texts.js";
import { gettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { Remark, Remarks } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

const KEY = "millrace.hints";

export class HintBox {
  #text = element("div", { class: "hint-text", role: "status" });
  element = element(
    "section",
    { class: "hint-box", "aria-label": gettext("Hint"), hidden: true },
    this.#text,
    button(icon("close"), () => this.choose(false), { class: "button quiet icon-button", "aria-label": gettext("Hide hints"), title: gettext("Hide hints") }),
  );
  /** The server's latest answer. @type {Remarks | null} */
  #told = null;
  /** The ply that the server was last asked about. */
  #askedAt = -1;
  #isTaking = false;

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
    const texts = !isCurrent ? [] : this.#isTaking && told.taking !== "" ? [takingText(told, { name: state.game })] : told.remarks.map((remark) => remarkText(remark, told, { name: state.game }));
    const isShown = this.isOn && texts.length > 0;
    this.element.hidden = !isShown;
    const words = isShown ? texts.join(" ") : "";
    if (this.#text.textContent !== words) this.#text.textContent = words;
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
