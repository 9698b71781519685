/** The running matches in which this browser holds a seat, so that the start page links to them. */

import { recall, remember } from "./storage.js";

/** @import { MatchState } from "./match/match_state.js" */

const KEY = "millrace.matches";
const MAX_MATCHES = 5;

/** @returns {string[]} Newest first. */
export function recentMatches() {
  return (recall(KEY) ?? "").split(" ").filter((match) => match !== "");
}

/** Add a running match, or remove a finished one. @param {MatchState} state */
export function rememberMatch(state) {
  const others = recentMatches().filter((match) => match !== state.id);
  const isGoingOn = state.end === null && state.ownSeats.length > 0;
  const noted = isGoingOn ? [state.id, ...others].slice(0, MAX_MATCHES) : others;
  if (noted.join() !== recentMatches().join()) remember(KEY, noted.join(" "));
}
