/** The lines of a plan: conditional moves from the position on the board. No DOM and no rules. */

import { gettext } from "../language/texts.js";

/**
 * @param {readonly (readonly string[])[]} lines
 * @param {readonly string[]} line
 * @returns {string[][]} The lines with one more; it replaces those that it continues.
 */
export function withLine(lines, line) {
  const others = lines.filter((each) => !isBeginning(each, line));
  return [...others.map((each) => [...each]), [...line]];
}

/**
 * @param {readonly string[]} line
 * @param {number} firstSeat Who makes its first move.
 * @param {number} seats
 * @param {number} own The reader's seat.
 * @param {(seat: number) => string} nameOf
 * @returns {string} Such as `If Ada plays f4, you play a7. If Ada then plays a1, you play g7.`
 */
export function lineText(line, firstSeat, seats, own, nameOf) {
  const parts = line.map((move, index) => {
    const seat = (firstSeat + index) % seats;
    if (seat === own) return gettext(", you play {move}.", { move });
    const isNext = index > 0 && (seat + seats - 1) % seats !== own;
    const name = nameOf(seat);
    if (isNext) return gettext(" and {name} plays {move}", { name, move });
    return index > 0 ? ` ${gettext("If {name} then plays {move}", { name, move })}` : gettext("If {name} plays {move}", { name, move });
  });
  return parts.join("");
}

/** @param {readonly string[]} beginning @param {readonly string[]} line */
function isBeginning(beginning, line) {
  return beginning.length <= line.length && beginning.every((move, index) => move === line[index]);
}
