/** The status of a match as text: who won or whose turn it is, and what the reader can do. No DOM. */

import { seatName } from "../board/seat_colours.js";
import { dateText } from "../dates.js";
import { gettext, ngettext } from "../language/texts.js";
import { countsText, decisionText } from "./ending_texts.js";
import { invitationText } from "./invitation_texts.js";
import { playerName, playerTitle, readerTitle, resultText } from "./match_texts.js";

/** @import { GameInfo } from "../protocol.js" */
/** @import { MatchState } from "./match_state.js" */
/** @import { MoveEntry, Stage } from "./move_entry.js" */

/**
 * @param {MatchState} state
 * @param {MoveEntry} entry
 * @param {GameInfo | undefined} game
 * @returns {{ headline: string, detail: string, tone: "quiet" | "turn" | "take" | "over" }}
 */
export function statusText(state, entry, game) {
  const titleOf = (/** @type {number} */ seat) => playerTitle(state.players, seat, game);
  if (state.end !== null) {
    const { headline, reason } = resultText(state, titleOf);
    const ownTitleOf = (/** @type {number} */ seat) => readerTitle(state, seat, game);
    const counts = countsText(state, ownTitleOf, game);
    const detail = decisionText(state, ownTitleOf, game) || (counts === "" ? reason : `${reason} (${counts})`);
    return { headline, detail: `${detail}.`, tone: "over" };
  }
  if (state.openSeats.length > 0) return waitingText(state, game);
  if (state.offers.isPaused) return { headline: gettext("Paused"), detail: gettext("The clocks are stopped until a player resumes."), tone: "quiet" };
  if (state.toMove === null) return { headline: gettext("Starting"), detail: "", tone: "quiet" };
  const title = titleOf(state.toMove);
  if (state.undecidedSeats.includes(state.toMove)) {
    return { headline: gettext("{name} left", { name: title }), detail: gettext("Play continues after the vote."), tone: "quiet" };
  }
  if (state.departures.has(state.toMove)) return { headline: gettext("Waiting for a bot"), detail: gettext("It plays on for {name}.", { name: title }), tone: "quiet" };
  if (!state.ownSeats.includes(state.toMove)) {
    const isPlayer = state.activeSeats.length > 0;
    const detail = vacationText(state) || playingText(state, state.toMove, game);
    return { headline: isPlayer ? gettext("Waiting for {name}", { name: title }) : gettext("{player} to move", { player: title }), detail, tone: "quiet" };
  }
  const stage = entry.stage(state.position, state.toMove);
  const isBoth = state.ownSeats.length > 1;
  const headline = isBoth ? gettext("{player} to move", { player: title }) : gettext("Your turn");
  if (stage === "take") return { headline: takeText(state, entry, titleOf), detail: gettext("Choose one of the marked pieces."), tone: "take" };
  return { headline, detail: [stageText(stage, state, entry), vacationText(state, true)].filter(Boolean).join(" "), tone: "turn" };
}

/**
 * Whether the match waits for a bot's move.
 * @param {MatchState} state
 */
export function waitsForBot(state) {
  if (state.end !== null || state.offers.isPaused || state.toMove === null) return false;
  return state.departures.has(state.toMove) || Boolean(state.players[state.toMove]?.level);
}

/**
 * The title of the page: the status, with a sign when it is the reader's turn.
 * @param {MatchState} state
 * @param {MoveEntry} entry
 * @param {GameInfo | undefined} game
 */
export function pageTitle(state, entry, game) {
  const isOwnTurn = state.end === null && state.toMove !== null && state.ownSeats.includes(state.toMove);
  return `${isOwnTurn ? "● " : ""}${statusText(state, entry, game).headline} · Millrace`;
}

/** Until when the player to move is on vacation; empty if that is not so. @param {MatchState} state @param {boolean} isReader */
function vacationText({ clocks: { vacationUntil_ms } }, isReader = false) {
  if (vacationUntil_ms === null || vacationUntil_ms <= Date.now()) return "";
  const date = dateText(vacationUntil_ms);
  return isReader ? gettext("You are on vacation until {date}.", { date }) : gettext("On vacation until {date}; the clock stands still.", { date });
}

/**
 * @param {MatchState} state
 * @param {number} seat
 * @param {GameInfo | undefined} game
 * @returns {string} `Ben plays Black.`
 */
function playingText(state, seat, game) {
  const colour = seatName(game, seat);
  const title = playerTitle(state.players, seat, game);
  return title === colour ? gettext("{name} is thinking.", { name: playerName(state.players[seat]) }) : gettext("{name} plays {colour}.", { name: title, colour });
}

/** @param {MatchState} state @param {GameInfo | undefined} game */
function waitingText(state, game) {
  if (state.ownSeats.length === 0) return { ...invitationText(state, game), tone: /** @type {const} */ ("turn") };
  const isTwo = state.players.length === 2;
  if (state.invited !== null) {
    const detail = gettext("Your opponent sees the challenge on every page. It expires after three days.");
    return { headline: gettext("Waiting for an answer"), detail, tone: /** @type {const} */ ("quiet") };
  }
  const listed = state.isListed ? gettext("The match is listed on the start page while you stay here. You can also send the link.") : "";
  const sending = isTwo
    ? gettext("Send this link to your opponent. The first player who opens it can join.")
    : gettext("Send this link to your opponents. Each of them can take a free seat.");
  const opened = state.spectators === 0 ? "" : ngettext("A visitor has opened your invitation.", "{count} visitors have opened your invitation.", state.spectators);
  return { headline: missingText(isTwo, state.openSeats.length), detail: opened || listed || sending, tone: /** @type {const} */ ("quiet") };
}

/** @param {boolean} isTwo Whether it is a match of two. @param {number} count The seats that are open. */
function missingText(isTwo, count) {
  return isTwo ? gettext("Waiting for an opponent") : ngettext("Waiting for one more player", "Waiting for {count} more players", count);
}

/** @param {MatchState} state @param {MoveEntry} entry @param {(seat: number) => string} nameOf */
function takeText(state, entry, nameOf) {
  const owners = new Set(entry.cells.map((cell) => state.position.piles.get(cell)?.seat ?? 0));
  const [owner] = owners;
  const isOnlyBot = state.players.length === 2 && Boolean(state.players[owner]?.level);
  if (owners.size > 1) return gettext("Take one of your opponents’ pieces");
  return isOnlyBot ? gettext("Take one of the bot’s pieces") : gettext("Take one of {name}’s pieces", { name: nameOf(owner) });
}

/** @param {Stage} stage @param {MatchState} state @param {MoveEntry} entry */
function stageText(stage, state, entry) {
  switch (stage) {
    case "begin":
      if (state.position.ground !== null) return gettext("Place a tile: choose its first cell.");
      if (entry.cells.some((cell) => (state.position.piles.get(cell)?.size ?? 0) > 1)) return gettext("Choose a stack to move.");
      return entry.cells.some((cell) => state.position.piles.has(cell)) ? gettext("Choose a piece to move.") : gettext("Choose an empty place.");
    case "go":
      if (state.position.ground !== null) return gettext("Choose the last cell of the tile.");
      return gettext("Choose where to move it.");
    case "choose":
      if (entry.isBarring && entry.clicks.length === 0) return gettext("Every move would repeat an earlier position. You must pass.");
      return entry.choices.every((choice) => /^\d+$/.test(choice)) ? gettext("Choose how many to move.") : gettext("Choose an option.");
    case "wait":
      return gettext("Sending your move…");
    default:
      return "";
  }
}
