/** A match between bots of chosen levels, which its creator watches, pauses and steps through. */

import { seatName } from "../board/seat_colours.js";
import { element, form } from "../element.js";
import { labelled } from "../form_fields.js";
import { gettext } from "../language/texts.js";
import { levelSelect, parseLevel } from "../players/level_select.js";

/** @import { Command } from "../connection/questions.js" */
/** @import { GameInfo, SeatPlan } from "../protocol.js" */

/** The form, for a panel that is opened. @param {GameInfo} game @param {(command: Command) => Promise<void>} onCreate */
export function botDuel(game, onCreate) {
  const count = Math.min(...game.seats);
  const levels = Array.from({ length: count }, (_, seat) => levelSelect(game, gettext("Bot for {colour}", { colour: seatName(game, seat) })));
  const begin = () => {
    /** @type {SeatPlan[]} */
    const seats = levels.map((select) => ({ occupant: "bot", level: parseLevel(select.value) }));
    const setup = game.seats.length > 1 ? `seats=${count}` : "";
    return onCreate({ type: "create", game: game.name, seats, setup, clock: null, shuffle: false });
  };
  return form(
    { class: "duel-form", "aria-label": gettext("A match between bots") },
    begin,
    ...levels.map((select, seat) => labelled(seatName(game, seat), select)),
    element("button", { type: "submit", class: "button primary" }, gettext("Let them play")),
  );
}
