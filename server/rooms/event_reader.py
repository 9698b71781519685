"""The reader of one match's events: adds to the log what others have stored, as a node tells it or from the journal.

What this node stores is added by `server.rooms.event_writer`.
"""

from collections.abc import Callable

from ..cluster.match_events import EventsStored
from ..journal.entries import Entry, Recorded
from ..runtime.turns import Turn
from .background_tasks import BackgroundTasks
from .event_log import AddedEvents, EventLog
from .event_writer import EventWriter
from .match_lag import MatchLag


class EventReader:
    """Adds the events of one match that others have stored, and publishes them."""

    def __init__(
        self,
        log: EventLog,
        turn: Turn,
        writer: EventWriter,
        lag: MatchLag,
        tasks: BackgroundTasks,
        publish: Callable[[AddedEvents | None], None],
    ) -> None:
        self._log = log
        self._turn = turn
        self._writer = writer
        self._lag = lag
        self._tasks = tasks
        self._publish = publish

    async def read_new(self) -> bool:
        """Add what others have stored; return whether there was anything. The caller must have the turn.

        Raises: Refusal.
        """
        seq = self._log.match.seq
        self._publish(await self._writer.read_new())
        return self._log.match.seq > seq

    async def refresh(self) -> None:
        """Add what others have stored. Raises: Refusal."""
        async with self._turn:
            await self.read_new()

    def receive(self, event: EventsStored) -> None:
        """Add events that another node has stored, if they are new."""
        if event.seq + len(event.events) - 1 > self._log.match.seq:
            self._turn.take(lambda: self._add(event))

    def _add(self, event: EventsStored) -> None:
        """Add events of another node in their turn; what is missing before them is read from the journal."""
        self._lag.take_over(event.lag)
        entries = (Entry(each.event, each.at_ms, each.seat, each.command_id) for each in event.events)
        recorded = [Recorded(seq, entry) for seq, entry in enumerate(entries, event.seq)]
        is_missing_some = event.seq > self._log.match.seq + 1
        try:
            self._publish(self._writer.add(recorded))
        finally:
            self._turn.release()
        if is_missing_some:
            self._tasks.begin(self.refresh)
