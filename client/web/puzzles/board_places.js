/** The places of a board by their names, and where each is, in words that do not name it. No DOM. */

import { Layout } from "../board/layout.js";
import { gettext } from "../language/texts.js";

/** @import { Board as Geometry } from "../protocol.js" */

/** Places whose heights differ by less are in one row. */
const SAME_ROW = 0.01;

/**
 * @param {Geometry} geometry
 * @param {boolean} isTurned Whether the board is seen from the other side.
 * @returns {ReadonlyMap<string, string>} By name, such as "Row 2 of 7 from the top, place 1 of 3".
 */
export function wherePlacesAre(geometry, isTurned) {
  const { points } = new Layout(geometry, isTurned);
  const inOrder = [...points].sort(([, one], [, other]) => (Math.abs(one.y - other.y) < SAME_ROW ? one.x - other.x : one.y - other.y));
  /** @type {string[][]} */
  const rows = [];
  let height = -Infinity;
  for (const [name, { y }] of inOrder) {
    if (y - height >= SAME_ROW) rows.push([]);
    height = y;
    rows[rows.length - 1].push(name);
  }
  return new Map(
    rows.flatMap((names, row) =>
      names.map((name, place) => [name, gettext("Row {row} of {rows} from the top, place {place} of {places}", { row: row + 1, rows: rows.length, place: place + 1, places: names.length })]),
    ),
  );
}
