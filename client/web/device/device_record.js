/** A finished match on this device as a record that the server imports (`server/archive/record.py`). Pure. */

/** @import { PublicMatch } from "../match/public_match.js" */
/** @import { KeptMatch } from "../offline/device_store.js" */

/** @param {KeptMatch} kept @param {PublicMatch} state @param {readonly string[]} seatNames In English, as records are. */
export function recordOf({ messages }, state, seatNames) {
  const { game, players, plies, end } = state;
  const times = timesOf(messages);
  const { ranks = null, reason = "", explanation = "", seat = null } = end ?? {};
  return {
    format: "millrace-match",
    version: 1,
    game,
    seats: players.map((player) => ({ name: player?.name ?? "", kind: player?.level ? "bot" : player?.registered ? "person" : "guest" })),
    started_ms: times.started_ms,
    ended_ms: times.ended_ms,
    ranks,
    termination: reason,
    explanation: explanation || `${seatNames[seat ?? 0]} resigned`,
    plies: plies.map(({ move }, ply) => ({ move, at_ms: times.plies_ms[ply] })),
  };
}

/** When the match started and ended, and each ply that was not taken back. @param {KeptMatch["messages"]} messages */
function timesOf(messages) {
  const times = { started_ms: 0, ended_ms: 0, plies_ms: /** @type {number[]} */ ([]) };
  for (const message of messages) {
    if (message.type !== "match_event") continue;
    const { event, at_ms } = message;
    if (event.type === "started") times.started_ms = at_ms;
    if (event.type === "moved") times.plies_ms.push(at_ms);
    if (event.type === "taken_back") times.plies_ms.length -= event.plies;
    if (event.type === "ended") times.ended_ms = at_ms;
  }
  return times;
}
