/**
 * Why the server refused something, in the reader's language: by its sentences and their values, or else by its code.
 *
 * No DOM.
 */

import { locale } from "../language/languages.js";
import { gettext, isKnown, later } from "../language/texts.js";

/** @import { Refused, Wording } from "../protocol.js" */

/** Texts for codes whose messages have details that stay English. @type {Partial<Record<Refused["code"], string>>} */
const BY_CODE = {
  malformed: later("The server did not understand this."),
  unsupported_version: later("The server has a new version. Please reload the page."),
  bad_token: later("You are no longer signed in. Please sign in again."),
  signed_out: later("You were signed out."),
  bad_name: later("This name is not allowed."),
  bad_password: later("This password is not allowed."),
  not_taken: later("This bot does not accept this kind of match right now."),
  unknown_game: later("The server does not offer this game."),
  bad_setup: later("This position text is not valid."),
  bad_clock: later("This clock is not allowed."),
  bad_seats: later("These seats do not fit the match."),
  bad_record: later("The text is not a valid match."),
  bad_move: later("This is not the text of a move."),
  illegal_move: later("This move is not allowed here."),
  repetition_refused: later("This move would repeat an earlier position, which is forbidden."),
  bad_plan: later("These moves cannot be planned."),
  nothing_to_do: later("Nothing would change."),
  not_allowed: later("You are not allowed to do that."),
  muted: later("A moderator muted you."),
  banned: later("A moderator banned this account."),
  switched_off: later("This is switched off at the moment."),
  too_fast: later("You sent too many messages at once."),
  unavailable: later("The server cannot do this right now; please try again."),
};
/** Codes whose English details help to correct the input. @type {ReadonlySet<Refused["code"]>} */
const WITH_DETAILS = new Set(["bad_setup", "bad_record", "muted", "banned", "switched_off"]);

/** @param {Refused} refused */
export function refusalText({ code, message, wording }) {
  const sentences = wording.length > 0 ? wording : [{ message, values: {} }];
  const byCode = BY_CODE[code];
  if (byCode !== undefined && !sentences.every((sentence) => isKnown(sentence.message))) {
    return WITH_DETAILS.has(code) ? `${gettext(byCode)} (${message})` : gettext(byCode);
  }
  return sentences.map(refusalSentence).join(" ");
}

/** @param {Wording} sentence */
export function refusalSentence({ message, values = {} }) {
  return gettext(message, shown(values));
}

/** @param {{ [name: string]: string | number }} values */
function shown(values) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, name.endsWith("_ms") ? durationText(Number(value)) : value]));
}

/** @param {number} duration_ms @returns {string} Rounded up: `2 minutes`. */
function durationText(duration_ms) {
  const seconds = Math.ceil(duration_ms / 1_000);
  const [count, unit] = seconds <= 60 ? [seconds, "second"] : seconds <= 3_600 ? [Math.ceil(seconds / 60), "minute"] : [Math.ceil(seconds / 3_600), "hour"];
  return new Intl.NumberFormat(locale(), { style: "unit", unit, unitDisplay: "long" }).format(count);
}
