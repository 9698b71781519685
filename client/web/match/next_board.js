/**
 * The way from board to board for the host of a simultaneous exhibition, and for a reader who plays several matches of a
 * tournament or ladder by correspondence. For the host, the next board that waits opens by itself after a move.
 */

import { element } from "../element.js";
import { gettext } from "../language/texts.js";
import { recall, remember } from "../storage.js";
import { nextBoardLink, waitingIn } from "../tournaments/waiting_boards.js";

/** @import { Connection } from "../connection/connection.js" */
/** @import { YourMatch } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

const KEY = "millrace.stays-at-board";

export class NextBoard {
  #link = element("div");
  #switch = element("input", { type: "checkbox", checked: recall(KEY) !== "true", onchange: () => this.#turn() });
  #label = element("label", { class: "check" }, this.#switch, " ", gettext("Go there by itself after my move"));
  #all = element("a", { class: "button quiet" }, gettext("All boards"));
  element = element("section", { class: "next-boards", "aria-label": gettext("Next board"), hidden: true }, this.#link, this.#all, this.#label);
  /** The other matches of the tournament that wait for the reader, the most urgent first. @type {string[]} */
  #waiting = [];
  #wasTurn = false;
  /** Whether the reader has moved here since the board was opened or the opponent moved. */
  #hasMoved = false;
  /** @type {(() => void) | null} */
  #unfollow = null;

  /** @param {Connection} connection @param {MatchState} state @param {(path: string) => void} navigate */
  constructor(connection, state, navigate) {
    this.connection = connection;
    this.state = state;
    this.navigate = navigate;
  }

  /** The match has changed. */
  show() {
    const { tournament, simulHost, clock, ownSeats, activeSeats, toMove } = this.state;
    const hasOthers = (simulHost !== null && ownSeats.includes(simulHost)) || (ownSeats.length > 0 && clock?.renews);
    if (tournament === null || !hasOthers) return;
    this.#unfollow ??= this.connection.follow({ type: "watch_your_matches" }, ({ matches }) => this.#hear(matches, tournament));
    const isTurn = toMove !== null && activeSeats.includes(toMove);
    this.#hasMoved = !isTurn && (this.#hasMoved || this.#wasTurn);
    this.#wasTurn = isTurn;
    this.#lead();
  }

  close() {
    this.#unfollow?.();
  }

  /** @param {YourMatch[]} matches @param {string} tournament */
  #hear(matches, tournament) {
    const others = matches.filter(({ match }) => match !== this.state.id);
    this.#waiting = waitingIn(others, tournament);
    this.element.hidden = !others.some((match) => match.tournament === tournament);
    this.#all.href = `/tournament/${tournament}`;
    this.#label.hidden = this.state.clock?.renews ?? false;
    this.#link.replaceChildren(this.#waiting.length > 0 ? nextBoardLink(this.#waiting) : element("span", { class: "soft" }, gettext("No other board waits for you.")));
    this.#lead();
  }

  #turn() {
    remember(KEY, String(!this.#switch.checked));
    this.#lead();
  }

  /** Go to the next board, if the reader has moved here and one waits. */
  #lead() {
    const isDue = this.#hasMoved && this.state.end === null && this.#switch.checked && !this.#label.hidden;
    if (!isDue || this.#waiting.length === 0) return;
    this.#hasMoved = false;
    this.navigate(`/match/${this.#waiting[0]}`);
  }
}
