"""Finished matches for lists, derived from their events without the plies. Pure."""

from collections.abc import Sequence

from millrace.protocol import Created, Ended, PastMatch, Player, Rated, RatingChange, Seated, Voided

from .archive_store import ArchivedMatch


def past_matches(found: Sequence[ArchivedMatch]) -> tuple[PastMatch, ...]:
    """Return the list entries of matches found in the archive."""
    return tuple(map(_past_match, found))


def _past_match(found: ArchivedMatch) -> PastMatch:
    created = found.events[0]
    assert isinstance(created, Created)
    players: list[Player | None] = [None] * len(created.seats)
    ended: Ended | None = None
    changes: tuple[RatingChange | None, ...] = ()
    is_void = False
    for event in found.events:
        match event:
            case Seated(seat, player):
                players[seat] = player
            case Ended():
                ended = event
            case Rated():
                changes = event.changes
            case Voided():
                is_void = True
            case _:
                pass
    return PastMatch(
        found.match,
        found.ended_ms,
        created.game,
        created.clock,
        created.rated,
        tuple(players),
        None if ended is None else ended.ranks,
        changes,
        "" if ended is None else ended.reason,
        found.plies,
        created.imported,
        is_void,
    )
