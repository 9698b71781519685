/**
 * How a bot's face takes a match, and what it says: only about what everyone at the board sees, never an evaluation.
 *
 * Both follow from the match alone, so that they are the same after a reload and at a past ply. No DOM.
 */

import { gettext, later } from "../language/texts.js";
import { effectsOf, outcomeOf } from "./match_texts.js";

/** @import { MatchState } from "./match_state.js" */

const GLAD = "M15.6 23.6q3.4-6 6.8 0l-1.5.8q-1.9-3.2-3.8 0zM25.6 23.6q3.4-6 6.8 0l-1.5.8q-1.9-3.2-3.8 0z";
/** @typedef {"neutral" | "pleased" | "sorry" | "surprised" | "win"} Mood */

/** The eyes and the mouth of each mood, as `botFace` draws them. @type {Record<Mood, [string, string] | null>} */
export const MOODS = {
  neutral: null,
  pleased: [GLAD, "M18 28.5q6 5.5 12 0-6 9-12 0z"],
  sorry: ["M17.4 23.6a2.1 2.1 0 1 1 0 .1zM26.4 23.6a2.1 2.1 0 1 1 0 .1zM15 20.6l6-2.4.5 1.3-6 2.4zM33 20.6l-6-2.4-.5 1.3 6 2.4z", "M18 33.5q6-7 12 0-6-3.4-12 0z"],
  surprised: ["M14.9 22a3.8 3.8 0 1 1 0 .1zM25.5 22a3.8 3.8 0 1 1 0 .1z", "M21.2 31.6a2.8 3.2 0 1 1 0 .1z"],
  win: [GLAD, "M16.5 27.5h15q-.5 8-7.5 8t-7.5-8z"],
};

/** A mood and a sentence last so many plies: until the reader has seen them, and moved. */
const LASTING_PLIES = 2;
/** The fewest plies between two sentences. */
const SILENT_PLIES = 6;
/** So many pieces lost at once surprise anyone. */
const BIG_LOSS = 3;

/** @type {Record<"start" | "took" | "lost" | "won" | "beaten" | "draw", string[]>} */
const SENTENCES = {
  start: [later("Shall we?"), later("Good to see you."), later("The water is high today."), later("Take your time.")],
  took: [later("Grist to the mill."), later("That one was adrift."), later("I could not resist."), later("One for the sack.")],
  lost: [later("I did not see that."), later("I liked that one."), later("That will teach me."), later("Well spotted.")],
  won: [later("A good match. Again?"), later("The current was with me."), later("You made me work.")],
  beaten: [later("Well played."), later("You found the leak."), later("I have to think about that.")],
  draw: [later("Nobody got wet."), later("An even match.")],
};

/**
 * @param {MatchState} state
 * @param {number} seat The bot's.
 * @param {number} ply The shown ply.
 * @returns {Mood}
 */
export function moodOf(state, seat, ply) {
  if (state.end !== null && ply === state.plies.length) {
    const outcome = outcomeOf(state, seat);
    return outcome === null ? "neutral" : /** @type {const} */ ({ won: "win", lost: "sorry", draw: "pleased" })[outcome];
  }
  for (let index = ply - 1; index >= Math.max(ply - LASTING_PLIES, 0); index -= 1) {
    const { gained, lost } = exchangeOf(state, seat, index);
    if (gained) return "pleased";
    if (lost >= BIG_LOSS || (lost > 0 && isFirstLoss(state, seat, index))) return "surprised";
    if (lost > 0) return "sorry";
  }
  return "neutral";
}

/**
 * @param {MatchState} state
 * @param {number} seat The bot's.
 * @param {number} ply The shown ply.
 * @returns {string} What the bot says there; empty for nothing.
 */
export function sentenceOf(state, seat, ply) {
  if (state.end !== null && ply === state.plies.length) {
    const outcome = outcomeOf(state, seat);
    return outcome === null ? "" : drawn(SENTENCES[outcome === "lost" ? "beaten" : outcome], state.id, ply);
  }
  let said = { at: 0, about: /** @type {"start" | "took" | "lost"} */ ("start") };
  for (let index = 0; index < ply; index += 1) {
    const at = index + 1;
    if (at - said.at < SILENT_PLIES || number(`${state.id} ${at} speaks`, 2) === 0) continue;
    const { gained, lost } = exchangeOf(state, seat, index);
    if (gained || lost > 0) said = { at, about: gained ? "took" : "lost" };
  }
  return ply - said.at < LASTING_PLIES ? drawn(SENTENCES[said.about], state.id, said.at) : "";
}

/**
 * What a ply changed for a seat: whether it closed a mill or took pieces, and how many of its own it lost.
 * @param {MatchState} state
 * @param {number} seat
 * @param {number} index Of the ply.
 */
function exchangeOf({ plies, positions }, seat, index) {
  const ply = plies[index];
  const { piles } = positions[index];
  const { taken, flipped } = effectsOf(ply, positions[index]);
  const won = [...taken, ...flipped];
  if (ply.seat !== seat) return { gained: false, lost: won.filter((cell) => piles.get(cell)?.seat === seat).length };
  return { gained: won.length > 0 || positions[index + 1].highlights.length > 0, lost: 0 };
}

/** @param {MatchState} state @param {number} seat @param {number} index Of a ply. */
function isFirstLoss(state, seat, index) {
  return !state.plies.slice(0, index).some((_, earlier) => exchangeOf(state, seat, earlier).lost > 0);
}

/** @param {readonly string[]} sentences @param {string} match @param {number} ply */
function drawn(sentences, match, ply) {
  return gettext(sentences[number(`${match} ${ply}`, sentences.length)]);
}

/** A number below a bound that follows from a text (FNV-1a). @param {string} text @param {number} bound */
function number(text, bound) {
  let hash = 0x811c9dc5;
  for (const character of text) hash = Math.imul(hash ^ character.charCodeAt(0), 0x01000193);
  return (hash >>> 8) % bound;
}
