"""The writer of one match's events: stores them in the journal, and only then adds them to the log.

Nobody learns of an event that could still be lost. Callers write one after another.
"""

from collections.abc import Sequence

from millrace.engine.state import State

from ..journal.ratings import RatingUpdates
from ..journal.store import Entry, Journal, Recorded
from ..journal.unavailable import refusing_failures
from ..matches.finish import finish_after
from .event_log import AddedEvents, EventLog


class EventWriter:
    """Stores the events of one match."""

    def __init__(self, log: EventLog, journal: Journal) -> None:
        self._log = log
        self._journal = journal
        self._match_id = log.match.id
        self._is_uncertain = False
        """Whether a failure has left open what is stored."""

    async def append(
        self, entries: Sequence[Entry], played: State | None = None, ratings: RatingUpdates | None = None
    ) -> AddedEvents | None:
        """Store entries and return what was added; None if another writer was first.

        Raises: Refusal if the journal fails. What was stored is then open, and `catch_up` must come before the next
        decision.
        """
        seq = self._log.match.seq
        self._is_uncertain = True
        with refusing_failures("journal append failed", match=self._match_id):
            finish = finish_after(self._log.match, entries)
            is_stored = await self._journal.append(self._match_id, seq, entries, ratings=ratings, finish=finish)
        if not is_stored:
            return None
        self._is_uncertain = False
        return self._log.add([Recorded(seq + 1 + index, entry) for index, entry in enumerate(entries)], played)

    async def catch_up(self) -> AddedEvents | None:
        """Read the journal again if a failure has left open what is stored. Raises: Refusal."""
        return await self.read_new() if self._is_uncertain else None

    async def read_new(self) -> AddedEvents | None:
        """Add and return what others have stored past this log; None if that is nothing. Raises: Refusal."""
        recorded = await self._load()
        new = recorded[self._log.match.seq :]
        return self._log.add(new) if new else None

    async def reload(self) -> None:
        """Replace the log by what is stored. Raises: Refusal."""
        self._log.reload(await self._load())

    async def _load(self) -> tuple[Recorded, ...]:
        with refusing_failures("journal load failed", "read this match", match=self._match_id):
            recorded = await self._journal.load(self._match_id)
        self._is_uncertain = False
        return recorded
