/**
 * The names of a match's seats: by colour, by player, and as the reader sees them.
 *
 * No DOM.
 */

import { seatColour, seatName } from "../board/seat_colours.js";
import { playerTitle, readerTitle } from "./match_texts.js";

/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */

export class SeatTitles {
  /** @param {MatchState} state @param {() => GameInfo | undefined} game */
  constructor(state, game) {
    this.state = state;
    this.game = game;
  }

  /** One of the colours of the style sheets. */
  colourOf = (/** @type {number} */ seat) => seatColour(this.game(), seat);

  /** The name of the seat's colour: `White`. */
  colourNameOf = (/** @type {number} */ seat) => seatName(this.game(), seat);

  /** The player's name. */
  playerOf = (/** @type {number} */ seat) => playerTitle(this.state.players, seat, this.game());

  /** The player's name, or "You" for the reader's only seat. */
  nameOf = (/** @type {number} */ seat) => readerTitle(this.state, seat, this.game());
}
