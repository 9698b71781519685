"""The writer of one match's events: stores them in the journal, and only then adds them to the log.

It also tells the other nodes. Nobody learns of an event that could still be lost. Callers write one after another.
"""

import asyncio
from collections.abc import Callable, Sequence

from millrace.engine.state import State
from millrace.protocol import IdentityId, Moved

from ..cluster.bus import Bus
from ..cluster.match_events import EventsStored, StoredEvent
from ..journal.entries import Entry, Recorded
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..matches.finish import finish_after
from ..matches.fold import apply_next
from ..storage.batches import Insertion
from .event_log import AddedEvents, EventLog
from .match_lag import MatchLag
from .match_notifier import InboxChanges, MatchNotifier


class EventWriter:
    """Stores the events of one match."""

    def __init__(
        self,
        log: EventLog,
        journal: Journal,
        notifier: MatchNotifier,
        is_watching: Callable[[IdentityId], bool],
        lag: MatchLag,
        bus: Bus,
    ) -> None:
        self._log = log
        self._journal = journal
        self._notifier = notifier
        self._is_watching = is_watching
        self._lag = lag
        self._bus = bus
        self._begun: tuple[Entry, ...] = ()
        """The entries that were last to be stored."""
        self._inbox: InboxChanges | None = None
        """The notifications that were to be stored with them."""
        self._match_id = log.match.id
        self._is_uncertain = False
        """Whether a failure has left open what is stored."""

    @property
    def is_uncertain(self) -> bool:
        """Whether a failure has left open what is stored: `catch_up` must come before the next decision."""
        return self._is_uncertain

    def begin(self, entries: Sequence[Entry], insertions: Sequence[Insertion] = ()) -> asyncio.Future[bool]:
        """Begin to store entries, and what features have prepared; when the future is done, `finish` must follow."""
        self._is_uncertain = True
        match = self._log.match
        finish = finish_after(match, entries)
        self._begun = tuple(entries)
        self._inbox = self._inbox_after(entries)
        if self._inbox is not None:
            insertions = (*insertions, *self._inbox.insertions)
        return self._journal.append(self._match_id, match.seq, entries, finish=finish, insertions=insertions)

    def finish(
        self, stored: asyncio.Future[bool], entries: Sequence[Entry], played: State | None = None
    ) -> AddedEvents | None:
        """Add what has been stored to the log, and return what was added; None if another writer was first.

        Raises: Refusal if the journal failed. What was stored is then open.
        """
        with refusing_failures("journal append failed", match=self._match_id):
            is_stored = stored.result()
        if not is_stored:
            return None
        self._is_uncertain = False
        if self._inbox is not None:
            self._inbox.announce()
        seq = self._log.match.seq
        recorded = [Recorded(seq + 1 + index, entry) for index, entry in enumerate(entries)]
        added = self._log.add(recorded, played)
        self._tell(recorded)
        return added

    async def append(
        self, entries: Sequence[Entry], played: State | None = None, insertions: Sequence[Insertion] = ()
    ) -> AddedEvents | None:
        """Store entries and return what was added; None if another writer was first.

        Raises: Refusal if the journal fails.
        """
        stored = self.begin(entries, insertions)
        await asyncio.wait((stored,))
        return self.finish(stored, entries, played)

    async def catch_up(self) -> AddedEvents | None:
        """Read the journal again if a failure has left open what is stored. Raises: Refusal."""
        if not self._is_uncertain:
            return None
        new = await self._load(self._log.match.seq)
        # What this writer had stored after all, nobody else has been told.
        self._tell(new)
        if self._inbox is not None and tuple(each.entry for each in new[: len(self._begun)]) == self._begun:
            self._inbox.announce()
        return self.add(new)

    async def read_new(self) -> AddedEvents | None:
        """Add and return what others have stored past this log; None if that is nothing. Raises: Refusal."""
        return self.add(await self._load(self._log.match.seq))

    def add(self, recorded: Sequence[Recorded]) -> AddedEvents | None:
        """Add events that others have stored, and return those that were new; None if there are none, or if events
        before them are missing."""
        seq = self._log.match.seq
        new = [each for each in recorded if each.seq > seq]
        return self._log.add(new) if new and new[0].seq == seq + 1 else None

    async def reload(self) -> None:
        """Replace the log by what is stored. Raises: Refusal."""
        self._log.reload(await self._load())

    def _tell(self, recorded: Sequence[Recorded]) -> None:
        """Tell the other nodes what this one has stored."""
        if not self._bus.is_alone and recorded:
            events = tuple([StoredEvent(*each.entry) for each in recorded])
            self._bus.publish(EventsStored(self._match_id, recorded[0].seq, events, self._lag.figures))

    def _inbox_after(self, entries: Sequence[Entry]) -> InboxChanges | None:
        """Return the notifications that follow from entries; a ply has none unless the match is by correspondence."""
        before = after = self._log.match
        is_by_correspondence = before.clock is not None and before.clock.settings.renews
        if not is_by_correspondence and all(type(entry.event) is Moved for entry in entries):
            return None
        for entry in entries:
            after = apply_next(after, entry.event, entry.at_ms)
        return self._notifier.changes(before, after, entries[-1].at_ms, self._is_watching)

    async def _load(self, since: int = 0) -> tuple[Recorded, ...]:
        with refusing_failures("journal load failed", "read this match", match=self._match_id):
            recorded = await self._journal.load(self._match_id, since)
        self._is_uncertain = False
        return recorded
