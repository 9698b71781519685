"""Takeovers: what the rooms of this node hear from others, and do when a node comes, goes, or cannot be heard.

The journal holds the truth. While the bus is down, the rooms look into it at intervals, and each node does for its
rooms what happens without a command; `(match, seq)` arbitrates. Once the bus is up again they look once more.
"""

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence

import structlog

from millrace.protocol import Code, MatchId
from millrace.protocol.refusal import Refusal

from ..cluster.bus import Bus
from ..cluster.bus_events import BusInterrupted, BusRestored, NodeGone, NodeJoined, NodeWasAway
from ..cluster.match_events import EventsStored, MatchesRenamed, RoomOpened, WatchersChanged, WatchersListed
from ..cluster.membership import Membership
from ..journal.journal_store import Journal
from ..runtime.cancellation import cancel_and_wait
from ..runtime.system_clock import NowMs
from ..storage.errors import StorageError
from .automation import start_automatic
from .resuming import receive, refresh, take_over
from .room import Room
from .stopped_nodes import StoppedNode, StoppedNodes
from .unsettled import find_unsettled
from .watching import list_watchers, receive_watchers

log = structlog.get_logger()

POLL_SECONDS = 0.7
"""Interval at which rooms look into the journal while the bus is down."""
AT_ONCE = 50
"""Maximum matches that are read or stored at the same time, when a node comes or goes or the bus is restored."""
RETRY_SECONDS = 1.0
"""The pause after a failure to read the journal."""


class OtherNodes:
    """The ear of this node's rooms."""

    def __init__(
        self,
        bus: Bus,
        membership: Membership,
        stopped_nodes: StoppedNodes,
        journal: Journal,
        now_ms: NowMs,
        rooms: Mapping[MatchId, Room],
        find: Callable[[MatchId], Awaitable[Room]],
        rename_here: Callable[[Iterable[MatchId]], Coroutine[None, None, None]],
    ) -> None:
        """`rooms` are those that are loaded now; `find` loads others, and `rename_here` reads names again in rooms."""
        self._bus = bus
        self._membership = membership
        self._stopped_nodes = stopped_nodes
        self._journal = journal
        self._rooms = rooms
        self._find = find
        self._rename_here = rename_here
        self._now_ms = now_ms
        self._early: dict[MatchId, list[EventsStored]] = {}
        """What came about matches whose rooms are being loaded."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._polling: asyncio.Task[None] | None = None
        if not bus.is_alone:
            self._subscribe()

    async def follow(self, match: MatchId) -> None:
        """Return once this node hears what others store in a match; what comes before its room is kept."""
        if not self._bus.is_alone:
            self._early.setdefault(match, [])
            await self._bus.follow(match)

    def opened(self, match: MatchId, room: Room) -> None:
        """Give a new room what came meanwhile, and tell the other nodes of it."""
        if self._bus.is_alone:
            return
        for event in self._early.pop(match, ()):
            receive(room, event)
        self._announce(match, room)

    def closed(self, match: MatchId) -> None:
        """Hear no more of a match that has no room here."""
        if not self._bus.is_alone:
            self._early.pop(match, None)
            self._bus.unfollow(match)

    async def close(self) -> None:
        """Stop what is being done."""
        await cancel_and_wait([*self._tasks, *([self._polling] if self._polling is not None else ())])

    def _subscribe(self) -> None:
        bus = self._bus
        bus.subscribe_elsewhere(EventsStored, self._receive)
        bus.subscribe_elsewhere(WatchersChanged, self._receive_watchers)
        bus.subscribe_elsewhere(WatchersListed, self._receive_watchers)
        bus.subscribe_elsewhere(MatchesRenamed, self._matches_renamed)
        bus.subscribe_elsewhere(RoomOpened, self._room_opened)
        bus.subscribe(NodeGone, self._node_gone)
        bus.subscribe(NodeJoined, lambda event: self._node_joined(event.node))
        bus.subscribe(NodeWasAway, lambda _: self._begin(self._catch_up_and_restart))
        bus.subscribe(BusRestored, lambda _: self._bus_restored())
        bus.subscribe(BusInterrupted, lambda _: self._bus_interrupted())

    # News of one match

    def _receive(self, event: EventsStored) -> None:
        room = self._rooms.get(event.match)
        if room is not None:
            receive(room, event)
        elif event.match in self._early:
            self._early[event.match].append(event)

    def _receive_watchers(self, event: WatchersChanged | WatchersListed) -> None:
        room = self._rooms.get(event.match)
        if room is not None:
            receive_watchers(room, event)

    def _matches_renamed(self, event: MatchesRenamed) -> None:
        """Read names again in the rooms that there are; one that is being loaded may have read the earlier ones."""
        matches = [match for match in event.matches if match in self._rooms or match in self._early]
        if matches:
            self._begin(lambda: self._rename_here(matches))

    def _announce(self, match: MatchId, room: Room) -> None:
        """Tell the other nodes who watches here, and the owner that it must have a room too."""
        list_watchers(room, is_answer_wanted=True)
        if not self._membership.owns(match):
            self._bus.publish(RoomOpened(match, self._membership.owner_of(match)))

    async def _load_owned(self, beat_ms: int) -> None:
        """Load the matches that this node owns now, whose owner gave its last sign of life at a moment.

        Those that had just ended too: they may not have been rated, or their rematch not have started.
        Raises: Refusal, StorageError.
        """
        unsettled = await find_unsettled(self._journal, beat_ms)
        wanted = [
            match
            for match in (*unsettled.unfinished, *unsettled.ended)
            if match not in self._rooms and self._membership.owns(match)
        ]
        await _for_each(wanted, self._find)

    def _room_opened(self, event: RoomOpened) -> None:
        if event.match not in self._rooms:
            self._begin(lambda: _done(self._find(event.match)))

    # News of nodes

    def _node_gone(self, event: NodeGone) -> None:
        stopped = self._stopped_nodes.add(event.node, event.beat_ms, self._now_ms(), self._rooms)
        self._begin(lambda: self._replace(stopped))

    def _node_joined(self, node: str) -> None:
        """Leave to a node what it owns now, also the matches that began after it had looked for them."""
        self._restart_rooms()
        for match in self._rooms:
            if self._membership.owner_of(match) == node:
                self._bus.publish(RoomOpened(match, node))

    def _restart_rooms(self) -> None:
        """Have every room begin or stop what happens without a command, by who owns its match now."""
        for room in self._rooms.values():
            start_automatic(room)

    async def _replace(self, stopped: StoppedNode) -> None:
        """Take over what this node owns now that another one has stopped. Raises: Refusal, StorageError."""
        await self._catch_up()
        await _for_each(tuple(self._rooms), lambda match: self._take_over(match, stopped))
        await self._load_owned(stopped.beat_ms)

    async def _take_over(self, match: MatchId, stopped: StoppedNode) -> None:
        """Go on with a match without a node that has stopped. Raises: Refusal."""
        room = self._rooms.get(match)
        if room is not None:
            is_interrupted = self._stopped_nodes.has_interrupted(match, room, stopped)
            await take_over(room, stopped.node, stopped.beat_ms, is_interrupted=is_interrupted)

    async def _catch_up_and_restart(self) -> None:
        await self._catch_up()
        self._restart_rooms()

    # The bus

    def _bus_restored(self) -> None:
        polling, self._polling = self._polling, None
        if polling is not None:
            polling.cancel()
        for match, room in self._rooms.items():
            self._announce(match, room)
        self._begin(self._catch_up_and_restart)

    def _bus_interrupted(self) -> None:
        if self._polling is None:
            self._restart_rooms()
            self._polling = asyncio.create_task(self._poll())

    async def _poll(self) -> None:
        """Look into the journal at intervals, until cancelled."""
        while True:
            try:
                await self._catch_up()
            except (Refusal, StorageError) as error:
                log.warning("journal not read", error=str(error))
            await asyncio.sleep(POLL_SECONDS)

    async def _catch_up(self) -> None:
        """Read what others have stored in the matches that have rooms. Raises: Refusal, StorageError."""
        last_seqs = await self._journal.last_seqs(tuple(self._rooms))

        async def refresh_room(match: MatchId) -> None:
            room = self._rooms.get(match)
            if room is not None and room.match.seq < last_seqs[match]:
                await refresh(room)

        await _for_each(tuple(last_seqs), refresh_room)

    # Tasks

    def _begin(self, work: Callable[[], Coroutine[None, None, None]]) -> None:
        task = asyncio.create_task(_run(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def _for_each(matches: Sequence[MatchId], do: Callable[[MatchId], Awaitable[object]]) -> None:
    """Do something for matches, several at a time; one for which it fails for good holds up no other.

    Raises: Refusal, StorageError; then it may succeed later.
    """
    for start in range(0, len(matches), AT_ONCE):
        outcomes = await asyncio.gather(*map(do, matches[start : start + AT_ONCE]), return_exceptions=True)
        for match, outcome in zip(matches[start:], outcomes, strict=False):
            if isinstance(outcome, Refusal) and outcome.code is not Code.UNAVAILABLE:
                log.warning("match left out", match=match, error=str(outcome))
            elif isinstance(outcome, BaseException):
                raise outcome


async def _run(work: Callable[[], Coroutine[None, None, None]]) -> None:
    """Do something, again after each failure to read the journal."""
    while True:
        try:
            await work()
            return
        except (Refusal, StorageError) as error:
            if isinstance(error, Refusal) and error.code is not Code.UNAVAILABLE:
                log.warning("news of another node ignored", error=str(error))
                return
            log.warning("news of another node put off", error=str(error))
        await asyncio.sleep(RETRY_SECONDS)


async def _done(work: Awaitable[object]) -> None:
    await work
