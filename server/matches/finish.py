"""What is noted of a match with its end, so that the archive finds it without reading its events.

Pure.
"""

from collections.abc import Sequence

from ..journal.store import Entry, Finish, Recorded, SeatFinish
from ..protocol import Ended, MatchId
from .match import Match


def finish_after(match: Match, entries: Sequence[Entry]) -> Finish | None:
    """Return what is to be noted if the entries, stored next, end the match; None if they do not."""
    for entry in entries:
        if isinstance(entry.event, Ended):
            return finish_of(match.following_all(entries), entry.event, entry.at_ms)
    return None


def finish_from(match_id: MatchId, entries: Sequence[Entry]) -> Finish | None:
    """Return what is to be noted if the first entries of a match end it already; None if they do not."""
    if not any(isinstance(entry.event, Ended) for entry in entries):
        return None
    return finish_after(Match.replayed(match_id, [Recorded(1, entries[0])]), entries[1:])


def finish_of(match: Match, ended: Ended, at_ms: int) -> Finish:
    """Return what is to be noted of a match that is over.

    What was called off before any ply, or between bots at any, is not put into the archive: nobody would look for it.
    What is void has no result there.
    """
    created, plies = match.created, match.state.ply
    is_archived = ended.ranks is not None or (plies > 0 and bool(match.people))
    ranks = None if match.is_void else ended.ranks
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
    """Return how a match ended: `decided` if anybody lost.

    >>> match_result((2, 1)), match_result((1, 1, 1)), match_result(None)
    ('decided', 'drawn', 'none')
    """
    if ranks is None:
        return "none"
    return "drawn" if set(ranks) == {1} else "decided"


def seat_results(ranks: Sequence[int] | None, seats: int) -> tuple[str, ...]:
    """Return how a match ended for each seat; who shares the first place with some, but not with all, has won.

    >>> seat_results((1, 3, 1), 3), seat_results((1, 1), 2)
    (('won', 'lost', 'won'), ('drawn', 'drawn'))
    """
    if ranks is None:
        return ("none",) * seats
    if match_result(ranks) == "drawn":
        return ("drawn",) * seats
    return tuple("won" if rank == 1 else "lost" for rank in ranks)


def _first_seats(match: Match) -> list[int]:
    """Return of each player the first seat: whoever plays both sides has played one match."""
    seats: dict[str, int] = {}
    for seat, player in enumerate(match.players):
        if player is not None:
            seats.setdefault(player.id, seat)
    return sorted(seats.values())
