"""Which match of a game is featured, and when another one is instead.

Pure: it is told the time.

What is shown stays until it is over, and its end a little longer, so that whoever watches sees how it came out. It goes
sooner only for a match that is clearly better and has been so for a while; an exhibition yields at once, and a match in
which nobody has moved for long counts as not there.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ..protocol import MatchId
from .ranking import Kind, Standing

LINGER_MS = 6_000
"""So long the end of a match is shown."""

PATIENCE_MS = 30_000
"""So long a clearly better match must have been on before it takes the place of one that goes on."""

CLEARLY_BETTER = 150
"""So many points of rating."""

STILL_MS = 150_000
"""A match without a ply for so long is not featured."""


class Candidate(NamedTuple):
    """A match that is being played."""

    match: MatchId
    standing: Standing
    moved_at_ms: int
    """When the latest ply was made, or play began."""


class Choice(NamedTuple):
    """What is featured."""

    match: MatchId
    over_since_ms: int | None = None
    """Since when it is no longer being played."""
    rival: MatchId | None = None
    """A clearly better match."""
    rival_since_ms: int = 0


def choose(current: Choice | None, candidates: Sequence[Candidate], now_ms: int) -> Choice | None:
    """Return what is featured now, if anything is; the best candidate comes first."""
    lively = [candidate for candidate in candidates if now_ms - candidate.moved_at_ms < STILL_MS]
    first = Choice(lively[0].match) if lively else None
    if current is None:
        return first
    shown = next((candidate for candidate in candidates if candidate.match == current.match), None)
    if shown is None:
        over_since_ms = now_ms if current.over_since_ms is None else current.over_since_ms
        return Choice(current.match, over_since_ms) if now_ms - over_since_ms < LINGER_MS else first
    return _stay(current, shown, lively[0], now_ms) if shown in lively else first


def _stay(current: Choice, shown: Candidate, best: Candidate, now_ms: int) -> Choice:
    """Return what follows on a match that is lively, unless a better one has been on for long."""
    if not _is_clearly_better(best.standing, shown.standing):
        return Choice(current.match)
    rival_since_ms = current.rival_since_ms if current.rival == best.match else now_ms
    if shown.standing.kind is Kind.EXHIBITION or now_ms - rival_since_ms >= PATIENCE_MS:
        return Choice(best.match)
    return Choice(current.match, None, best.match, rival_since_ms)


def _is_clearly_better(one: Standing, other: Standing) -> bool:
    if one.kind is not other.kind:
        return one.kind > other.kind
    return one.rating - other.rating >= CLEARLY_BETTER
