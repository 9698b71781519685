/**
 * The box that asks what becomes of a seat whose player left while others play on, and shows who has chosen what.
 *
 * What the choice leads to is the server's to say.
 */

import { drawMan } from "../board/pieces.js";
import { seatColour, seatName } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { departureText } from "./match_texts.js";

/** @import { GameInfo, StandIn } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/** @type {Record<StandIn, string>} */
const LABELS = { bot: "Let a bot play on", skip: "Skip its turns" };
/** @type {Record<StandIn, string>} */
const VOTES = { bot: "for a bot", skip: "for skipping" };

export class StandIns {
  element = element("section", { class: "stand-ins", "aria-label": "Seats that were left", hidden: true });
  #key = "";

  /** @param {(forSeat: number, choice: StandIn) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
  }

  /**
   * @param {MatchState} state
   * @param {GameInfo | undefined} game
   */
  show(state, game) {
    const seats = state.undecidedSeats;
    const votes = seats.map((seat) => [...(state.departures.get(seat)?.votes ?? [])]);
    const key = JSON.stringify([seats, votes, state.activeSeats, game?.name]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = seats.length === 0;
    this.element.replaceChildren(...seats.map((seat) => this.#question(state, game, seat)));
  }

  /**
   * @param {MatchState} state
   * @param {GameInfo | undefined} game
   * @param {number} seat
   */
  #question(state, game, seat) {
    const votes = [...(state.departures.get(seat)?.votes ?? [])];
    const cause = departureText(state.departures.get(seat)?.reason ?? "");
    const own = state.activeSeats;
    const chosen = votes.filter(([voter]) => own.includes(voter)).map(([, choice]) => choice);
    const choices = /** @type {StandIn[]} */ (["bot", "skip"]).map((choice) =>
      button(LABELS[choice], () => this.onChoose(seat, choice), { "aria-pressed": String(chosen.includes(choice)) }),
    );
    const told = votes.map(([voter, choice]) => `${seatName(game, voter)} is ${VOTES[choice]}`);
    const words = own.length > 0 ? "How is it to go on? Most votes within a minute decide." : "The others choose how it goes on.";
    return element(
      "div",
      { class: "stand-in", "data-seat": seat },
      drawMan(seatColour(game, seat), "choice-man"),
      element("strong", {}, `${seatName(game, seat)} ${cause}.`),
      element("span", { class: "detail" }, words),
      own.length > 0 ? element("div", { class: "extra" }, ...choices) : null,
      told.length > 0 ? element("span", { class: "votes" }, `${told.join(", ")}.`) : null,
    );
  }
}
