"""The finish of a match: the record stored with its end, by which the archive finds it without reading its events.

Pure.
"""

from collections.abc import Sequence

from millrace.protocol import Ended, MatchId

from ..journal.entries import Entry, Finish, Recorded, SeatFinish
from .fold import apply_event, replay
from .match import Match


def finish_after(match: Match, entries: Sequence[Entry]) -> Finish | None:
    """Return the finish of a match if the entries, stored next, end it; None otherwise."""
    for ending in entries:
        if isinstance(ending.event, Ended):
            for entry in entries:
                match = apply_event(match, Recorded(match.seq + 1, entry))
            return finish_of(match, ending.event, ending.at_ms)
    return None


def finish_from(match_id: MatchId, entries: Sequence[Entry]) -> Finish | None:
    """Return the finish of a match that its first entries already end; None otherwise."""
    if not any(isinstance(entry.event, Ended) for entry in entries):
        return None
    return finish_after(replay(match_id, [Recorded(1, entries[0])]), entries[1:])


def finish_of(match: Match, ended: Ended, at_ms: int) -> Finish:
    """Return the finish of a match that is over.

    The archive leaves out matches without result that never got under way, since not every seat made a ply, and those
    without a person. A void match has no result there, nor has one in which a page has thought for the bot: records,
    searches by result and the index of openings do not count it.
    """
    created, plies = match.created, match.state.ply
    is_archived = ended.ranks is not None or (plies >= len(match.players) and bool(match.people))
    ranks = None if match.is_void or match.has_page_plies else ended.ranks
    results = seat_results(ranks, len(match.players))
    seats = (SeatFinish(seat, None if ranks is None else ranks[seat], results[seat]) for seat in _first_seats(match))
    return Finish(
        created.game,
        created.rated,
        plies,
        ended.reason,
        match_result(ranks),
        at_ms if is_archived else None,
        tuple(seats),
    )


def match_result(ranks: Sequence[int] | None) -> str:
    """Return the result of a match: `decided` if any seat lost.

    >>> match_result((2, 1)), match_result((1, 1, 1)), match_result(None)
    ('decided', 'drawn', 'none')
    """
    if ranks is None:
        return "none"
    return "drawn" if set(ranks) == {1} else "decided"


def seat_results(ranks: Sequence[int] | None, seats: int) -> tuple[str, ...]:
    """Return the result for each seat; seats that share the first place with some others, but not all, have won.

    >>> seat_results((1, 3, 1), 3), seat_results((1, 1), 2)
    (('won', 'lost', 'won'), ('drawn', 'drawn'))
    """
    if ranks is None:
        return ("none",) * seats
    if match_result(ranks) == "drawn":
        return ("drawn",) * seats
    return tuple("won" if rank == 1 else "lost" for rank in ranks)


def _first_seats(match: Match) -> list[int]:
    """Return each player's first seat: playing both sides counts as one match."""
    seats: dict[str, int] = {}
    for seat, player in enumerate(match.players):
        if player is not None:
            seats.setdefault(player.id, seat)
    return sorted(seats.values())
