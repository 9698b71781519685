"""The settlement of a rated result: what the match does to the ratings is stored together with its `Rated` event.

What a result changes is computed in `server.ratings.rating_changes`.
"""

from collections.abc import AsyncIterator

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..journal.entries import Entry
from ..ratings.rating_store import rating_insertions
from ..ratings.ratings import Ratings
from ..runtime.system_clock import NowMs
from .event_log import AddedEvents, EventLog
from .event_writer import EventWriter

CONFLICT_ATTEMPTS = 5
"""Maximum attempts to settle after a write conflict."""


async def settle_rating(
    log: EventLog, writer: EventWriter, ratings: Ratings, now_ms: NowMs
) -> AsyncIterator[AddedEvents | None]:
    """Store the ratings of a match that is over, and yield the events that this adds to the log.

    The caller must have the room's turn. Raises: Refusal, StorageError.
    """
    yield await writer.catch_up()
    for _ in range(CONFLICT_ATTEMPTS):
        if not log.match.is_rating_due:
            return
        async with ratings.settling(log.match) as settlement:
            at_ms, updates = now_ms(), settlement.updates
            insertions = () if updates is None else rating_insertions(log.match.id, at_ms, updates)
            added = await writer.append([Entry(settlement.rated, at_ms)], insertions=insertions)
            settlement.is_stored = added is not None
        yield added if added is not None else await writer.read_new()
    raise Refusal(Code.UNAVAILABLE, "The ratings of these players are changing too fast. Please try again.")
