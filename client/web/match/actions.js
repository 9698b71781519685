/**
 * The buttons below the board: offers, abort, resign, the next step after the end, turn the board.
 *
 * The state decides which buttons appear; the page handles them. Resigning asks for confirmation in place. Small windows
 * show the less usual ones when the reader asks for more.
 */

import { button, element } from "../element.js";
import { icon } from "../icons.js";
import { gettext } from "../language/texts.js";
import { levelStep, pairingAgain } from "./next_steps.js";

/** @import { IconName } from "../icons.js" */
/** @import { GameInfo, OfferKind, PairingRequest } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { LevelStep } from "./next_steps.js" */

/**
 * @typedef {object} ActionHandlers
 * @property {() => void} abort
 * @property {() => void} leaveSeat
 * @property {() => void} resign
 * @property {() => void} rematch
 * @property {() => void} turnBoard
 * @property {(level: number) => Promise<void>} playLevel
 * @property {(request: PairingRequest) => void} pairAgain
 * @property {() => void} declineRematch
 * @property {() => void} giveTime
 * @property {() => void} berserk
 * @property {() => void} pauseBots
 * @property {(plies: number | null) => void} resumeBots
 * @property {(kind: OfferKind) => void} offer
 */

export class Actions {
  #isAsking = false;
  #key = "";
  /** @type {GameInfo | undefined} */
  #game = undefined;
  element = element("div", { class: "actions", role: "group", "aria-label": gettext("Actions") });

  /** @param {ActionHandlers} handlers @param {HTMLElement[]} tools Buttons that are always shown. */
  constructor(handlers, tools) {
    this.handlers = handlers;
    this.tools = tools;
  }

  /** @param {MatchState} state @param {GameInfo | undefined} game */
  show(state, game) {
    const { rematch, noRematch, open, isPaused } = state.offers;
    const phase = state.end ? `over ${[...rematch]} ${[...noRematch]} ${state.rematch}` : state.canAbort ? "early" : "playing";
    // A departed player is a spectator until the match is over.
    const seats = state.end === null ? state.activeSeats : state.ownSeats;
    const offers = open.map(({ kind }) => kind).join();
    const key = `${phase} ${seats.join()} ${this.#isAsking} ${offers} ${isPaused} ${state.openSeats.length} ${state.hasPlied} ${state.isStarted} ${state.isDirector} ${state.canBerserk} ${game?.name}`;
    if (key === this.#key) return;
    this.#key = key;
    this.#game = game;
    const parts = seats.length > 0 ? this.#playerParts(state) : state.isDirector ? this.#directorParts(isPaused) : spectatorParts(state);
    if (state.end !== null && state.plies.length > 0) parts.push(toolLink("analyse", gettext("Analyse"), gettext("Analyse"), `/analysis/match/${state.id}`));
    if (state.end !== null) parts.push(this.#newPart(state));
    const turn = button(icon("turn"), this.handlers.turnBoard, {
      class: "button icon-button",
      "aria-label": gettext("Flip the board"),
      title: gettext("Flip the board"),
    });
    const more = button(icon("dots"), () => more.setAttribute("aria-expanded", String(this.element.classList.toggle("open"))), {
      class: "button icon-button more-actions",
      "aria-label": gettext("More actions"),
      "aria-expanded": String(this.element.classList.contains("open")),
      title: gettext("More actions"),
    });
    const focused = this.element.contains(document.activeElement) ? document.activeElement?.getAttribute("aria-label") : null;
    this.element.classList.toggle("over", state.end !== null);
    this.element.replaceChildren(...parts, more, element("span", { class: "board-tools" }, turn, ...this.tools));
    // Keep the keyboard focus on the same button, or near it.
    if (focused) this.#focus(focused);
  }

  /** @param {MatchState} state @returns {HTMLElement[]} */
  #playerParts(state) {
    if (state.end !== null) return this.#nextParts(state);
    if (this.#isAsking) return this.#resignParts(state);
    return [...this.#offerParts(state), this.#endPart(state)];
  }

  /** What the creator of a match between bots can do. @param {boolean} isPaused */
  #directorParts(isPaused) {
    const { pauseBots, resumeBots } = this.handlers;
    if (!isPaused) return [this.#tool("pause", gettext("Pause"), gettext("Pause the bots"), pauseBots)];
    return [this.#tool("forward", gettext("Step"), gettext("Step: one move"), () => resumeBots(1)), button(gettext("Resume"), () => resumeBots(null), { class: "button primary" })];
  }

  /** The button that ends the match for the reader. @param {MatchState} state */
  #endPart(state) {
    if (state.isGuestBeforeStart) return button(gettext("Leave your seat"), this.handlers.leaveSeat, { class: "button quiet" });
    if (!state.canAbort) return this.#tool("flag", gettext("Resign"), gettext("Resign"), () => this.#ask(true, state));
    return button(state.isStarted ? gettext("Abort") : gettext("Call off"), this.handlers.abort, { class: "button quiet" });
  }

  /** The offers that can be made now. @param {MatchState} state @returns {HTMLElement[]} */
  #offerParts(state) {
    if (!state.isStarted) return [];
    const { offers } = state;
    const isOpen = (/** @type {OfferKind} */ kind) => offers.open.some((offer) => offer.kind === kind);
    const { offer, giveTime, berserk } = this.handlers;
    if (state.isOnDevice) return [this.#tool("undo", gettext("Takeback"), gettext("Take back a move"), () => offer("takeback"), !state.hasPlied)];
    if (state.tournament !== null) {
      return [
        state.canBerserk ? this.#tool("flame", gettext("Berserk"), gettext("Berserk: half your time, for one more point"), berserk) : null,
        this.#tool("draw", gettext("Draw"), gettext("Offer a draw"), () => offer("draw"), isOpen("draw") || state.plies.length < state.players.length),
      ].filter((part) => part !== null);
    }
    return [
      state.canAbort ? null : this.#tool("draw", gettext("Draw"), gettext("Offer a draw"), () => offer("draw"), isOpen("draw")),
      state.isRated ? null : this.#tool("undo", gettext("Takeback"), gettext("Ask for a takeback"), () => offer("takeback"), isOpen("takeback") || offers.isPaused || !state.hasPlied),
      state.isRated ? null : this.#tool("pause", gettext("Pause"), gettext("Ask for a pause"), () => offer("pause"), isOpen("pause") || offers.isPaused),
      state.clock === null || !state.hasOpponents ? null : this.#tool("more", gettext("+15 s"), gettext("Give +15 s"), giveTime, false, "extra-action"),
    ].filter((part) => part !== null);
  }

  /**
   * @param {IconName} sign
   * @param {string} caption
   * @param {string} label The full label.
   * @param {() => unknown} press
   * @param {boolean} [isDisabled]
   * @param {string} [rank] A further class.
   */
  #tool(sign, caption, label, press, isDisabled = false, rank = "") {
    return button(toolFace(sign, caption), press, { class: `button tool ${rank}`, "aria-label": label, title: label, disabled: isDisabled });
  }

  /** @param {MatchState} state @returns {HTMLElement[]} */
  #resignParts(state) {
    const resign = () => {
      this.#isAsking = false;
      return this.handlers.resign();
    };
    return [
      button(gettext("Resign the match"), resign, { class: "button danger" }),
      button(gettext("Keep playing"), () => this.#ask(false, state), { class: "button" }),
    ];
  }

  /** @param {boolean} isAsking @param {MatchState} state */
  #ask(isAsking, state) {
    this.#isAsking = isAsking;
    this.show(state, this.#game);
    this.element.querySelector("button")?.focus();
  }

  /** @param {string} label */
  #focus(label) {
    const buttons = [...this.element.querySelectorAll("button")].filter(({ disabled }) => !disabled);
    (buttons.find((each) => each.getAttribute("aria-label") === label) ?? buttons[0])?.focus();
  }

  /**
   * The next step as the primary button: a rematch, or after a win against a bot its next level.
   * @param {MatchState} state
   * @returns {HTMLElement[]}
   */
  #nextParts(state) {
    if (state.tournament !== null) return [tournamentLink(state.tournament)];
    const step = state.rematch === null ? levelStep(state, this.#game) : null;
    if (step === null) return this.#rematchParts(state);
    if (!step.isUp) return [...this.#rematchParts(state), this.#tool("down", gettext("Level {level}", { level: step.level }), gettext("Level {level}: an easier bot", { level: step.level }), this.#playing(step))];
    return [
      button(gettext("Level {level}", { level: step.level }), this.#playing(step), { class: "button primary", title: gettext("Play the next level") }),
      this.#tool("rematch", gettext("Rematch"), gettext("Rematch"), this.handlers.rematch),
    ];
  }

  /** @param {LevelStep} step */
  #playing({ level }) {
    return () => this.handlers.playLevel(level);
  }

  /** The way to another opponent. @param {MatchState} state */
  #newPart(state) {
    const request = pairingAgain(state);
    if (request === null) return toolLink("new", gettext("New"), gettext("New match"), "/");
    return this.#tool("new", gettext("New"), gettext("New opponent"), () => this.handlers.pairAgain(request));
  }

  /** @param {MatchState} state */
  #rematchParts(state) {
    const { offers } = state;
    if (state.rematch !== null) return [nextLink(state.rematch, gettext("Go to the rematch"))];
    if (state.ownSeats.every((seat) => offers.rematch.has(seat))) {
      return [button(gettext("Withdraw rematch"), this.handlers.declineRematch, { class: "button" })];
    }
    // The offer box answers the opponent's offer.
    if (offers.rematch.size > 0 && !state.ownSeats.some((seat) => offers.noRematch.has(seat))) return [];
    return [button(gettext("Rematch"), this.handlers.rematch, { class: "button primary" })];
  }
}

/** @param {IconName} sign @param {string} caption */
function toolFace(sign, caption) {
  return element("span", { class: "tool-face" }, icon(sign), element("span", { class: "tool-caption" }, caption));
}

/** @param {IconName} sign @param {string} caption @param {string} label The full label. @param {string} href */
function toolLink(sign, caption, label, href) {
  return element("a", { class: "button tool", href, "aria-label": label, title: label }, toolFace(sign, caption));
}

/** @param {MatchState} state @returns {HTMLElement[]} */
function spectatorParts(state) {
  if (state.tournament !== null) return [tournamentLink(state.tournament)];
  return state.rematch === null ? [] : [nextLink(state.rematch, gettext("Watch the rematch"))];
}

/** @param {string} tournament */
function tournamentLink(tournament) {
  const words = tournament.startsWith("ladder-") ? gettext("To the ladder") : gettext("To the tournament");
  return element("a", { class: "button primary", href: `/tournament/${tournament}` }, words);
}

/** @param {string} match @param {string} label */
function nextLink(match, label) {
  return element("a", { class: "button primary", href: `/match/${match}` }, label);
}
