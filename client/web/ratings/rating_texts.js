/** Ratings as text: numbers, changes and kinds of matches. */

import { element } from "../element.js";
import { gettext, later, ngettext } from "../language/texts.js";

/** @import { GameInfo, RatingChange, RatingKind, SeatRating, Speed } from "../protocol.js" */

/** The name and time range of each speed. @type {{ speed: Speed, name: string, hint: string }[]} */
export const SPEEDS = [
  { speed: "bullet", name: later("Bullet"), hint: later("under 3 minutes") },
  { speed: "blitz", name: later("Blitz"), hint: later("3 to 8 minutes") },
  { speed: "rapid", name: later("Rapid"), hint: later("8 to 25 minutes") },
  { speed: "classical", name: later("Classical"), hint: later("25 minutes or more") },
  { speed: "correspondence", name: later("Correspondence"), hint: later("days per move") },
  { speed: "untimed", name: later("Untimed"), hint: later("no clock") },
];

const MINUS = "−";

/** @param {Speed} speed */
export function speedName(speed) {
  return gettext(SPEEDS.find((each) => each.speed === speed)?.name ?? speed);
}

/**
 * @param {RatingKind} kind
 * @param {GameInfo[]} games
 * @returns {string} `Nine Men's Morris · Blitz`, with the number of seats where a game has several.
 */
export function kindText({ game, seats, speed }, games) {
  const info = games.find(({ name }) => name === game);
  const title = info?.title ?? game;
  const many = (info?.seats.length ?? 1) > 1 ? ` · ${ngettext("{count} player", "{count} players", seats)}` : "";
  return `${title}${many} · ${speedName(speed)}`;
}

/** @param {number} change @returns {string} `+12`, `−8` or `±0`. */
export function changeText(change) {
  if (change === 0) return "±0";
  return change > 0 ? `+${change}` : `${MINUS}${-change}`;
}

/**
 * A rating beside a name, and its change by a match: `1523?  +12`.
 * @param {SeatRating | null} rating Null for a guest.
 * @param {RatingChange | null} change Null without a change.
 * @returns {(Node | string)[]}
 */
export function ratingParts(rating, change) {
  if (change !== null) return [...ratingNumber(change.after, change.provisional ?? false), " ", changeBadge(change)];
  return rating === null ? [] : ratingNumber(rating.rating, rating.provisional ?? false);
}

/**
 * @param {number} rating
 * @param {boolean} isProvisional
 * @returns {(Node | string)[]} The number, with a question mark while provisional.
 */
export function ratingNumber(rating, isProvisional) {
  const number = element("span", { class: "rating", title: isProvisional ? gettext("Provisional rating") : gettext("Rating") }, String(rating));
  if (!isProvisional) return [number];
  number.append(element("span", { "aria-hidden": "true" }, "?"), element("span", { class: "visually-hidden" }, `, ${gettext("provisional")}`));
  return [number];
}

/** @param {RatingChange} change */
export function changeBadge({ before, after }) {
  const gained = after - before;
  const tone = gained > 0 ? "up" : gained < 0 ? "down" : "even";
  return element("span", { class: "rating-change", "data-tone": tone, title: gettext("Before: {before}", { before }) }, changeText(gained));
}
