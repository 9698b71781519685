"""The rooms of this process: loaded by match id, continued after a restart, and closed when nobody needs them.

New matches come from `server.rooms.new_matches`.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Sequence

import structlog

from millrace.protocol import Code, IdentityId, MatchId, MatchSummary
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..cluster.bus import Bus
from ..cluster.events import MatchChanged
from ..cluster.match_events import MatchesRenamed
from ..cluster.membership import Membership
from ..journal.entries import Recorded
from ..journal.journal_store import Journal
from ..journal.unavailable import refusing_failures
from ..matches.match import Match, Phase
from ..ratings.ratings import Ratings
from ..runtime import metrics
from ..runtime.system_clock import NowMs
from .automation import start_automatic
from .event_log import EventLog
from .new_matches import NewMatches
from .notifier_interface import MatchNotifier
from .plan_store import PlanStore
from .resuming import call_off, end_interruption, interrupt, refresh, rename, resume
from .room import Room, RoomServices
from .shared_matches import SharedMatches
from .stopped_nodes import StoppedNodes
from .takeovers import OtherNodes
from .unsettled import find_unsettled
from .watching import close_room

log = structlog.get_logger()

RENAMED_AT_ONCE = 500
"""Maximum matches in one event about changed names."""
SWEEP_SECONDS = 30
"""Time between two searches for idle rooms."""


class Rooms:
    """The rooms of this process."""

    def __init__(
        self,
        journal: Journal,
        plans: PlanStore,
        bots: Bots,
        ratings: Ratings,
        notifier: MatchNotifier,
        bus: Bus,
        membership: Membership,
        now_ms: NowMs,
        patience: float,
        bot_pace_seconds: float,
    ) -> None:
        self._journal = journal
        self._bus = bus
        self._now_ms = now_ms
        self.loaded: dict[MatchId, Room] = {}
        """The rooms, by match. Others must be loaded first: `find`."""
        self._loading: dict[MatchId, asyncio.Task[Room]] = {}
        self._elsewhere = SharedMatches(bus, self.loaded.get)
        self._stopped_nodes = StoppedNodes(membership)
        self._other_nodes = OtherNodes(
            bus, membership, self._stopped_nodes, journal, now_ms, self.loaded, self.find, self.rename_here
        )
        self.new = NewMatches(
            journal,
            notifier,
            membership,
            now_ms,
            ratings.seat_rating,
            self._other_nodes.follow,
            self._other_nodes.closed,
            self._add_new,
        )
        """Creates matches."""
        self._services = RoomServices(
            journal,
            plans,
            bots,
            now_ms,
            self.new.open_rematch,
            ratings,
            notifier,
            bus,
            membership,
            patience,
            bot_pace_seconds,
        )
        self._membership = membership
        self._interrupted_ms: int | None = None
        """Since when nothing can be stored; None if all is well."""

    @property
    def are_interrupted(self) -> bool:
        """Whether all matches stand still because nothing can be stored."""
        return self._interrupted_ms is not None

    async def find(self, match: MatchId) -> Room:
        """Return the room of a match, loaded from the journal if necessary. Raises: Refusal."""
        room = self.loaded.get(match)
        if room is not None:
            return room
        loading = self._loading.get(match)
        if loading is None:
            loading = self._begin_loading(match, self._load(match))
        return await asyncio.shield(loading)

    def peek(self, match: MatchId) -> Match | None:
        """Return a match as it stands; of one that has a room on other nodes only, the plies, the clock and the offers
        are missing. None if it has no room."""
        room = self.loaded.get(match)
        return self._elsewhere.find(match) if room is None else room.match

    def summary(self, match: MatchId) -> MatchSummary | None:
        """Return the line of a match in the list of live matches; None if it is not being played."""
        room = self.loaded.get(match)
        if room is None:
            return self._elsewhere.summary(match)
        return room.summary() if room.match.phase is Phase.PLAYING else None

    async def played_by(self, identity: IdentityId) -> list[Match]:
        """Return the matches being played in which an identity has a seat. Raises: Refusal."""
        for match in tuple(self._elsewhere.played_by(identity)):
            await self.find(match)
        matches = (room.match for room in self.loaded.values() if room.match.phase is Phase.PLAYING)
        return [match for match in matches if match.seats_of(identity)]

    async def rename(self, matches: Sequence[MatchId]) -> None:
        """Read the players' names again in the rooms of some matches, on every node. Raises: Refusal."""
        for start in range(0, len(matches), RENAMED_AT_ONCE):
            self._bus.publish(MatchesRenamed(tuple(matches[start : start + RENAMED_AT_ONCE])))
        await self.rename_here(matches)

    async def rename_here(self, matches: Iterable[MatchId]) -> None:
        """Read the players' names again in the rooms that some matches have on this node. Raises: Refusal."""
        for match in matches:
            room = await self._find_here(match)
            if room is not None:
                await rename(room)

    async def call_off(self, match: MatchId, explanation: str) -> None:
        """End a match of bots without result. Raises: Refusal."""
        await call_off(await self.find(match), explanation)

    async def refresh_here(self, match: MatchId) -> None:
        """Read what was stored past the room that a match has on this node, if it has one. Raises: Refusal."""
        room = await self._find_here(match)
        if room is not None:
            await refresh(room)

    async def _find_here(self, match: MatchId) -> Room | None:
        """Return the room of a match, also one that is being loaded; None if it has none here. Raises: Refusal."""
        loading = self._loading.get(match)
        return await asyncio.shield(loading) if loading is not None else self.loaded.get(match)

    def interrupt(self, since_ms: int) -> None:
        """Let all matches stand still since a moment, also those loaded from now on: nothing can be stored."""
        self._interrupted_ms = since_ms
        for room in self.loaded.values():
            interrupt(room, since_ms)

    def end_interruption(self) -> None:
        """Let all matches go on."""
        self._interrupted_ms = None
        for room in self.loaded.values():
            end_interruption(room)

    async def resume_all(self) -> None:
        """Continue every match that was being played when the server stopped.

        Returns as soon as their ids are known. `find` waits until its match is loaded. Raises: StorageError.
        """
        if len(self._membership.members) > 1:
            # The other nodes have gone on with all of them, and may have named some of them already.
            for match in filter(self._membership.owns, await self._journal.unfinished()):
                if match not in self.loaded and match not in self._loading:
                    self._begin_loading(match, self._load(match))
            return
        last_beat_ms = await self._journal.last_beat_ms()
        unsettled = await find_unsettled(self._journal, last_beat_ms)
        for match in unsettled.unfinished:
            self._begin_loading(match, self._resume(match, last_beat_ms or 0))
        for match in unsettled.ended:
            self._begin_loading(match, self._load(match))

    async def wait_until_loaded(self) -> None:
        """Wait until the matches of before a restart have their rooms, and those that are being loaded."""
        if self._loading:
            await asyncio.wait(tuple(self._loading.values()))

    async def resumed_players(self) -> frozenset[IdentityId]:
        """Wait until the matches of before a restart are loaded; return who plays in a match or is invited to one."""
        await self.wait_until_loaded()
        unfinished = [room.match for room in self.loaded.values() if room.match.phase is not Phase.OVER]
        invited = (match.created.invited for match in unfinished if match.created.invited is not None)
        return frozenset(invited).union(*(match.people for match in unfinished))

    async def sweep(self) -> None:
        """Close rooms that were idle at two sweeps in a row, until cancelled."""
        idle_before: set[MatchId] = set()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            idle = {match for match, room in self.loaded.items() if room.is_idle}
            for match in idle & idle_before:
                await self._close(match)
            idle_before = idle
            metrics.ROOMS.set(len(self.loaded))

    async def _close(self, match: MatchId) -> None:
        if self.loaded[match].is_idle:  # still, after others were closed
            room = self.loaded.pop(match)
            self._other_nodes.closed(match)
            self._elsewhere.closed(match)
            await close_room(room)

    async def close(self) -> None:
        """Stop what happens without a command in every room."""
        for loading in tuple(self._loading.values()):
            loading.cancel()
        await self._other_nodes.close()
        rooms = tuple(self.loaded.values())
        self.loaded.clear()
        await asyncio.gather(*map(close_room, rooms))

    def _begin_loading(self, match: MatchId, load: Coroutine[None, None, Room]) -> asyncio.Task[Room]:
        loading = asyncio.create_task(load)
        self._loading[match] = loading
        loading.add_done_callback(lambda _: self._end_loading(match))
        return loading

    def _end_loading(self, match: MatchId) -> None:
        loading = self._loading.pop(match)
        if match not in self.loaded:
            self._other_nodes.closed(match)
        if not loading.cancelled() and (error := loading.exception()) is not None:
            log.info("match not loaded", match=match, error=str(error))

    async def _load(self, match: MatchId) -> Room:
        await self._other_nodes.follow(match)
        room = Room(match, await self._log_of(match), self._services)
        sign_of_life_ms = self._stopped_nodes.sign_of_life_ms(match, room.last_at_ms) if room.is_owned else None
        if sign_of_life_ms is not None:
            await resume(room, max(sign_of_life_ms, room.last_at_ms))
        start_automatic(self._keep(match, room))
        return room

    async def _resume(self, match: MatchId, last_beat_ms: int) -> Room:
        await self._other_nodes.follow(match)
        room = Room(match, await self._log_of(match), self._services)
        await resume(room, max(last_beat_ms, room.last_at_ms))
        return self._keep(match, room)

    async def _log_of(self, match: MatchId) -> EventLog:
        """Return a match's events, folded. Raises: Refusal."""
        with refusing_failures("journal load failed", "read this match", match=match):
            recorded = await self._journal.load(match)
        if not recorded:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        return await EventLog.load(match, recorded)

    def _keep(self, match: MatchId, room: Room) -> Room:
        self.loaded[match] = room
        if self._interrupted_ms is not None:
            interrupt(room, self._interrupted_ms)
        self._other_nodes.opened(match, room)
        self._bus.publish(MatchChanged(match))
        metrics.ROOMS.set(len(self.loaded))
        return room

    def _add_new(self, match: MatchId, recorded: Sequence[Recorded]) -> None:
        start_automatic(self._keep(match, Room(match, EventLog(match, recorded), self._services)))
