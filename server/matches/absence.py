"""How long a player who is away is waited for, and what the others may claim then.

Pure: it is told since when who is away (`server.rooms.presence`), and no clock is its own.

Three clocks are kept apart: whether a connection lives (pings, `server.http.web_server`), whether a player is at the
match (some connection of theirs watches it), and how long one who is not is waited for, which is measured here. Nothing
happens by itself when that is over: the others may claim, or go on waiting. Bots are never away, and in correspondence
nobody is. What the position is worth has no part in it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..protocol import Claim, Code, Ended, Event, Speed, Termination
from ..protocol.refusal import Refusal
from .automatic_events import and_what_follows, clocks_ms_of, given_up
from .match import Match

VANISHED_MS = 40_000
"""One whose connection broke is waited for so long, times `SLOWNESS`, and guests half of that."""
SLOWNESS: Mapping[Speed, int] = {Speed.RAPID: 2, Speed.CLASSICAL: 3}
CLOSED_MS = 10_000
"""One who closed the page is waited for so long: a page that is loaded anew is back before."""
UNTIMED_MS = 300_000
"""Without a clock one is waited for so long, gone either way."""


@dataclass(frozen=True, slots=True)
class Away:
    """A player whom no connection joins to the match."""

    since_ms: int
    has_closed: bool = False
    """Whether the page was closed, or left for another, in good order."""


def patience_ms(speed: Speed, away: Away, is_guest: bool) -> int | None:
    """Return how long a player who is away is waited for; None for ever.

    >>> patience_ms(Speed.RAPID, Away(0), is_guest=False), patience_ms(Speed.BLITZ, Away(0), is_guest=True)
    (80000, 20000)
    """
    if speed is Speed.CORRESPONDENCE:
        return None
    if speed is Speed.UNTIMED:
        return UNTIMED_MS
    if away.has_closed:
        return CLOSED_MS
    return VANISHED_MS * SLOWNESS.get(speed, 1) // (2 if is_guest else 1)


def decide_claim(match: Match, claim: Claim, claimable_at_ms: Sequence[int | None], now_ms: int) -> list[Event]:
    """Return what a player's claim on the seat of one who is away leads to.

    `claimable_at_ms` says for each seat from when its absence counts, None where it does not. Raises: Refusal.
    """
    for_seat, names = claim.for_seat, match.state.game.seat_names
    if for_seat >= len(match.players):
        raise Refusal(Code.BAD_SEATS, f"This match has {len(match.players)} seats, counted from 0.")
    due_at_ms = claimable_at_ms[for_seat]
    if due_at_ms is None or match.departure_of(for_seat) is not None:
        raise Refusal(Code.NOT_ABSENT, f"{names[for_seat]} is not away.")
    if now_ms < due_at_ms:
        seconds = -(-(due_at_ms - now_ms) // 1000)
        raise Refusal(Code.TOO_EARLY, f"{names[for_seat]} may still come back; you can claim in {seconds} s.")
    if (claim.outcome == "stand_in") != (len(match.players) > 2):
        raise Refusal(Code.NOTHING_TO_CHOOSE, "Of two seats the other takes a win or a draw; more go on without one.")
    if claim.outcome != "draw":
        return and_what_follows(match, [given_up(match, for_seat, "absence", now_ms)], now_ms)
    words = f"{names[for_seat]} was away, and {names[claim.seat]} called it a draw"
    return [Ended((1, 1), Termination.ABSENCE, words, for_seat, clocks_ms_of(match, now_ms))]
