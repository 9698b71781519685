/** The vote on a departed player's seat: let a bot play on or skip its turns. */

import { drawMan } from "../board/pieces.js";
import { seatColour } from "../board/seat_colours.js";
import { button, element } from "../element.js";
import { gettext, later } from "../language/texts.js";
import { departureText, readerTitle, spoken } from "./match_texts.js";

/** @import { GameInfo, StandIn } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

/** @type {Record<StandIn, string>} */
const LABELS = { bot: later("Let a bot play on"), skip: later("Skip the turns") };
/** @type {Record<StandIn, string>} */
const VOTES = { bot: later("{name} chose a bot"), skip: later("{name} chose to skip") };

export class StandIns {
  element = element("section", { class: "stand-ins", "aria-label": gettext("Players who left"), hidden: true });
  #key = "";

  /** @param {(forSeat: number, choice: StandIn) => void} onChoose */
  constructor(onChoose) {
    this.onChoose = onChoose;
  }

  /** @param {MatchState} state @param {GameInfo | undefined} game */
  show(state, game) {
    const seats = state.undecidedSeats;
    const votes = seats.map((seat) => [...(state.departures.get(seat)?.votes ?? [])]);
    const key = JSON.stringify([seats, votes, state.activeSeats, game?.name]);
    if (key === this.#key) return;
    this.#key = key;
    this.element.hidden = seats.length === 0;
    this.element.replaceChildren(...seats.map((seat) => this.#question(state, game, seat)));
  }

  /** @param {MatchState} state @param {GameInfo | undefined} game @param {number} seat */
  #question(state, game, seat) {
    const votes = [...(state.departures.get(seat)?.votes ?? [])];
    const cause = departureText(readerTitle(state, seat, game), state.departures.get(seat)?.reason ?? "");
    const own = state.activeSeats;
    const chosen = votes.filter(([voter]) => own.includes(voter)).map(([, choice]) => choice);
    const choices = /** @type {StandIn[]} */ (["bot", "skip"]).map((choice) =>
      button(gettext(LABELS[choice]), () => this.onChoose(seat, choice), { "aria-pressed": String(chosen.includes(choice)) }),
    );
    const told = votes.map(([voter, choice]) => gettext(VOTES[choice], { name: spoken(readerTitle(state, voter, game)) }));
    const words = own.length > 0 ? gettext("Choose how to continue. The majority decides after one minute at most.") : gettext("The players are choosing how to continue.");
    return element(
      "div",
      { class: "stand-in", "data-seat": seat },
      drawMan(seatColour(game, seat), "choice-man"),
      element("strong", {}, `${cause}.`),
      element("span", { class: "detail" }, words),
      own.length > 0 ? element("div", { class: "extra" }, ...choices) : null,
      told.length > 0 ? element("span", { class: "votes" }, `${told.join(", ")}.`) : null,
    );
  }
}
