"""Which stored matches must have a room though nobody asks for them, after their node has stopped."""

from typing import NamedTuple

from millrace.protocol import MatchId

from ..journal.journal_store import Journal

UNSETTLED_MS = 60_000
"""How long before a node stops a match may have ended without being rated, or its rematch have been agreed on without
being started; loading the match does that."""


class Unsettled(NamedTuple):
    """Matches for which something happens without a command."""

    unfinished: tuple[MatchId, ...]
    """Those that are being played or wait for players."""
    ended: tuple[MatchId, ...]
    """Others that may not have been rated, or whose rematch may not have been started."""


async def find_unsettled(journal: Journal, last_sign_of_life_ms: int | None) -> Unsettled:
    """Return the matches that their node may have left so, by its last sign of life; without one there is none of
    those that ended. Raises: StorageError.
    """
    unfinished = await journal.unfinished()
    if last_sign_of_life_ms is None:
        return Unsettled(unfinished, ())
    since_ms = last_sign_of_life_ms - UNSETTLED_MS
    ended = (*await journal.ended_since(since_ms), *await journal.rematches_answered_since(since_ms))
    known = set(unfinished)
    return Unsettled(unfinished, tuple(match for match in dict.fromkeys(ended) if match not in known))
