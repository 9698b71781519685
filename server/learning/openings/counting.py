"""A match's contribution to the index of openings. Pure."""

from collections.abc import Iterable
from itertools import pairwise

from millrace.protocol import MatchId

from ...matches.finish import seat_results
from ...matches.match import Match
from .opening_store import MoveCount
from .positions import find_position

INDEXED_PLIES = 24
"""Number of plies of each match that are counted; later positions hardly ever repeat."""


def counts_of(match: Match, change: int, ended_ms: int) -> list[MoveCount]:
    """Return the counts that a finished match adds for its moves, or subtracts with `change` -1.

    Forced passes and matches without a result do not count.
    """
    ended = match.ended
    if ended is None or ended.ranks is None:
        return []
    results = seat_results(ended.ranks, match.state.start.seats)
    people = all(player is not None and player.level is None and not player.bot for player in match.players)
    latest: tuple[MatchId | None, int] = (match.id, ended_ms) if change > 0 else (None, 0)
    counts = []
    for before, after in pairwise(match.state.line[: INDEXED_PLIES + 1]):
        position = None if before.forced_pass == after.move else find_position(before)
        if position is not None:
            result = results[before.seat]
            won, drawn, lost = (change * (result == each) for each in ("won", "drawn", "lost"))
            move = position.move_name(before, after.move)
            counts.append(MoveCount(position.number, move, people, won, drawn, lost, *latest))
    return counts


def summed(counts: Iterable[MoveCount]) -> list[MoveCount]:
    """Return counts added up by position, move and kind of match, in the order of these."""
    sums: dict[tuple[int, str, bool], MoveCount] = {}
    for count in counts:
        key = (count.position, count.move, count.people)
        sums[key] = count if key not in sums else _sum(sums[key], count)
    return [sums[key] for key in sorted(sums)]


def _sum(one: MoveCount, other: MoveCount) -> MoveCount:
    latest = max(one, other, key=lambda count: count.latest_ms)
    return latest._replace(won=one.won + other.won, drawn=one.drawn + other.drawn, lost=one.lost + other.lost)
