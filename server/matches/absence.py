"""Absence: how long the others wait for an absent player, and what they may claim after that.

Pure. A player is absent while no connection of theirs watches the match (`server.rooms.match_presence`). Whether a
connection is alive is a matter of pings (`server.web.pings`).

Nothing happens by itself when the wait is over: the others may claim, or go on waiting. Bots are never absent, and in
correspondence nobody is. The position has no influence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from millrace.protocol import Claim, Code, Ended, Event, Speed, Termination
from millrace.protocol.refusal import Refusal

from .automatic_events import with_automatic_events
from .endings import clocks_ms_of, forfeit
from .match import Match

VANISHED_MS = 40_000
"""The wait for a player whose connection broke, times `SLOWNESS`; for guests half of that."""
SLOWNESS: Mapping[Speed, int] = {Speed.RAPID: 2, Speed.CLASSICAL: 3}
"""How many times as long the wait is in slower matches."""
CLOSED_MS = 10_000
"""The wait for a player who closed the page; reloading it takes less."""
UNTIMED_MS = 300_000
"""The wait for any player in a match without a clock."""


@dataclass(frozen=True, slots=True)
class Absence:
    """Since when a player is absent from a match."""

    since_ms: int
    has_closed: bool = False
    """Whether the player closed or left the page; False if the connection broke."""


def wait_ms(speed: Speed, absence: Absence, is_guest: bool) -> int | None:
    """Return how long the others wait for an absent player before they may claim; None if forever.

    >>> wait_ms(Speed.RAPID, Absence(0), is_guest=False), wait_ms(Speed.BLITZ, Absence(0), is_guest=True)
    (80000, 20000)
    """
    if speed is Speed.CORRESPONDENCE:
        return None
    if speed is Speed.UNTIMED:
        return UNTIMED_MS
    if absence.has_closed:
        return CLOSED_MS
    return VANISHED_MS * SLOWNESS.get(speed, 1) // (2 if is_guest else 1)


def claim_absence(match: Match, claim: Claim, claimable_at_ms: Sequence[int | None], now_ms: int) -> list[Event]:
    """Return the events to which a claim on the seat of an absent player leads.

    `claimable_at_ms` says for each seat from when its player's absence can be claimed, None while it cannot.
    Raises: Refusal.
    """
    for_seat, names = claim.for_seat, match.state.game.seat_names
    if for_seat >= len(match.players):
        raise Refusal(Code.BAD_SEATS, "This match has {seats} seats, counted from 0.", seats=len(match.players))
    due_at_ms = claimable_at_ms[for_seat]
    if due_at_ms is None or match.departure_of(for_seat) is not None:
        raise Refusal(Code.NOT_ABSENT, "{name} is not absent.", name=names[for_seat])
    if now_ms < due_at_ms:
        seconds = -(-(due_at_ms - now_ms) // 1000)
        raise Refusal(
            Code.TOO_EARLY,
            "{name} may still come back; you can claim in {seconds} s.",
            name=names[for_seat],
            seconds=seconds,
        )
    if (claim.outcome == "stand_in") != (len(match.players) > 2):
        raise Refusal(
            Code.NOTHING_TO_CHOOSE,
            "With two seats you can claim a win or a draw; with more, a stand-in.",
        )
    if claim.outcome != "draw":
        return with_automatic_events(match, [forfeit(match, for_seat, "absence", now_ms)], now_ms)
    explanation = f"{names[for_seat]} was away, and {names[claim.seat]} called it a draw"
    return [Ended((1, 1), Termination.ABSENCE, explanation, for_seat, clocks_ms_of(match, now_ms))]
