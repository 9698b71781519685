"""Chooses the featured match of a game, and when to replace it. Pure.

The featured match stays until shortly after its end, so that viewers see the result. It is replaced sooner only by a
match that has been clearly better for a while. An exhibition yields at once, and a match without a move for a long time
does not count.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.protocol import MatchId

from .ranking import MatchKind, MatchRank

LINGER_MS = 6_000
"""Time for which a match stays featured after its end."""

PATIENCE_MS = 30_000
"""Time for which a match must be clearly better before it replaces one in progress."""

CLEARLY_BETTER = 150
"""The difference in rating, in points, that makes a match clearly better."""

STILL_MS = 150_000
"""Time without a move after which a match is not featured."""


class Candidate(NamedTuple):
    """A match in progress."""

    match: MatchId
    rank: MatchRank
    moved_at_ms: int
    """When the last move was made, or play started."""


class FeaturedChoice(NamedTuple):
    """The featured match, and its possible replacement."""

    match: MatchId
    over_since_ms: int | None = None
    """When it ended."""
    rival: MatchId | None = None
    """A clearly better match in progress."""
    rival_since_ms: int = 0


def choose_featured(
    current: FeaturedChoice | None, candidates: Sequence[Candidate], now_ms: int
) -> FeaturedChoice | None:
    """Return the featured match, or None; candidates come best first."""
    lively = [candidate for candidate in candidates if now_ms - candidate.moved_at_ms < STILL_MS]
    first = FeaturedChoice(lively[0].match) if lively else None
    if current is None:
        return first
    shown = next((candidate for candidate in candidates if candidate.match == current.match), None)
    if shown is None:
        over_since_ms = now_ms if current.over_since_ms is None else current.over_since_ms
        return FeaturedChoice(current.match, over_since_ms) if now_ms - over_since_ms < LINGER_MS else first
    return _stay(current, shown, lively[0], now_ms) if shown in lively else first


def _stay(current: FeaturedChoice, shown: Candidate, best: Candidate, now_ms: int) -> FeaturedChoice:
    """Return the choice after a lively match: that match, unless a better one has been on for a while."""
    if not _is_clearly_better(best.rank, shown.rank):
        return FeaturedChoice(current.match)
    rival_since_ms = current.rival_since_ms if current.rival == best.match else now_ms
    if shown.rank.kind is MatchKind.EXHIBITION or now_ms - rival_since_ms >= PATIENCE_MS:
        return FeaturedChoice(best.match)
    return FeaturedChoice(current.match, None, best.match, rival_since_ms)


def _is_clearly_better(one: MatchRank, other: MatchRank) -> bool:
    if one.kind is not other.kind:
        return one.kind > other.kind
    return one.rating - other.rating >= CLEARLY_BETTER
