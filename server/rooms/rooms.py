"""The rooms of this process: created, loaded by match id, and closed when nobody needs them."""

import asyncio
import random
import secrets
from collections.abc import Coroutine, Iterable, Sequence

import structlog

from millrace.engine.game import SetupError, UnknownGameError

from .. import metrics
from ..bots.requests import Bots
from ..bus.bus import Bus
from ..bus.events import MatchChanged
from ..journal.plans import PlanStore
from ..journal.store import Entry, Journal, Origin, Recorded
from ..journal.unavailable import refusing_failures
from ..matches.creation import open_exhibition, open_match, open_paired, open_rematch
from ..matches.finish import finish_from
from ..matches.fold import replay
from ..matches.match import Match, Phase
from ..matches.views import previewed
from ..protocol import (
    Abort,
    Accepted,
    Code,
    CommandId,
    Create,
    Decline,
    Event,
    IdentityId,
    LeaveSeat,
    MatchCommand,
    MatchId,
    MatchSummary,
    PairingRequest,
    Player,
    Preview,
    Previewed,
    Resign,
)
from ..protocol.refusal import Refusal
from ..ratings.ratings import Ratings
from ..system_clock import NowMs
from .match_notifier import MatchNotifier
from .room import Room, RoomServices

log = structlog.get_logger()

SWEEP_SECONDS = 30
"""Time between two searches for idle rooms."""
UNSETTLED_MS = 60_000
"""How long before a shutdown a match may have ended without being rated, or its rematch have been agreed on without
being started; such matches are loaded after a restart."""
_ID_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
"""Without 0, 1, l and o, so that a link can be read aloud."""


def new_match_id() -> MatchId:
    """Return an id that nobody can guess: 60 random bits."""
    return MatchId("".join(secrets.choice(_ID_ALPHABET) for _ in range(12)))


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
        now_ms: NowMs,
        patience: float,
        bot_pace_seconds: float,
    ) -> None:
        self._journal = journal
        self._bus = bus
        self._now_ms = now_ms
        self._rooms: dict[MatchId, Room] = {}
        self._loading: dict[MatchId, asyncio.Task[Room]] = {}
        self._services = RoomServices(
            journal, plans, bots, now_ms, self._open_rematch, ratings, notifier, bus, patience, bot_pace_seconds
        )
        self._notifier = notifier
        self._seat_ratings = ratings.seat_rating
        self._interrupted_ms: int | None = None
        """Since when nothing can be stored; None if all is well."""

    @property
    def are_interrupted(self) -> bool:
        """Whether all matches stand still because nothing can be stored."""
        return self._interrupted_ms is not None

    async def find(self, match: MatchId) -> Room:
        """Return the room of a match, loaded from the journal if necessary. Raises: Refusal."""
        room = self._rooms.get(match)
        if room is not None:
            return room
        loading = self._loading.get(match)
        if loading is None:
            loading = self._begin_loading(match, self._load(match))
        return await asyncio.shield(loading)

    def find_loaded(self, match: MatchId) -> Room | None:
        """Return the room of a match, unless it must be loaded first."""
        return self._rooms.get(match)

    def peek(self, match: MatchId) -> Match | None:
        """Return a match as it stands; None if it has no room."""
        room = self._rooms.get(match)
        return None if room is None else room.match

    def summary(self, match: MatchId) -> MatchSummary | None:
        """Return the line of a match in the list of live matches; None if it is not being played here."""
        room = self._rooms.get(match)
        return room.summary() if room is not None and room.match.phase is Phase.PLAYING else None

    def played_by(self, identity: IdentityId) -> list[Match]:
        """Return the matches being played here in which an identity has a seat."""
        matches = (room.match for room in self._rooms.values() if room.match.phase is Phase.PLAYING)
        return [match for match in matches if match.seats_of(identity)]

    def is_at(self, match: MatchId, identity: IdentityId) -> bool:
        """Return whether an identity watches a match that has a room."""
        room = self._rooms.get(match)
        return room is not None and room.is_watched_by(identity)

    async def find_created(self, command: CommandId, creator: Player) -> Accepted | None:
        """Return the answer to a repeated creation; None if it is new. Raises: Refusal."""
        with refusing_failures("journal read failed", "look this up"):
            match = await self._journal.find_created(Origin(creator.id, command))
        return None if match is None else Accepted(command, match, 1)

    async def open(self, command: Create, creator: Player, invited: IdentityId | None = None) -> Accepted:
        """Create a match, or find the one that the same command created before. Raises: Refusal."""
        order = _random_order(len(command.seats))
        events = open_match(command, creator, order, self._now_ms(), seat_ratings=self._seat_ratings, invited=invited)
        match = await self._open(events, Origin(creator.id, command.id))
        return Accepted(command.id, match, 1)

    async def open_paired(
        self, request: PairingRequest, players: Sequence[Player], paired: Sequence[Origin]
    ) -> MatchId:
        """Create a match for paired players, by seat, who asked for it by the commands `paired`. Raises: Refusal."""
        match = new_match_id()
        events = open_paired(request, players, self._now_ms(), self._seat_ratings)
        return await self._open(events, Origin("pairing", CommandId(match)), paired)

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to by quick pairing. Raises: Refusal."""
        with refusing_failures("journal read failed", "look this up"):
            return await self._journal.find_paired(asked)

    async def open_exhibition(self, game: str, bots: Sequence[Player]) -> MatchId:
        """Create a match of built-in bots, by seat, for spectators. Raises: Refusal."""
        match = new_match_id()
        events = open_exhibition(game, bots, self._now_ms(), self._seat_ratings)
        return await self._open(events, Origin("exhibition", CommandId(match)))

    async def preview(self, command: Preview) -> Previewed:
        """Return what a match from a set-up text would begin with. Raises: Refusal."""
        try:
            return previewed(command)
        except UnknownGameError as error:
            raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
        except SetupError as error:
            raise Refusal(Code.BAD_SETUP, str(error)) from None

    async def give_up(self, match: MatchId, player: Player) -> None:
        """Resign or call off a match for a player whose account ends. Raises: Refusal."""
        room = await self.find(match)
        for seat in room.match.seats_of(player.id):
            command_id = CommandId(f"farewell-{seat}")
            try:
                await room.command(_giving_up(room.match, player, command_id, seat), player)
            except Refusal as refusal:
                if refusal.code not in (Code.MATCH_OVER, Code.SEAT_LEFT):
                    raise

    async def decline(self, match: MatchId, player: Player) -> None:
        """Decline a challenge for a player whose account ends. Raises: Refusal."""
        room = await self.find(match)
        try:
            await room.command(Decline(CommandId("farewell"), match), player)
        except Refusal as refusal:
            if refusal.code is not Code.MATCH_OVER:
                raise

    async def rename(self, matches: Iterable[MatchId]) -> None:
        """Read the players' names again in the rooms of some matches. Raises: Refusal."""
        for match in matches:
            loading = self._loading.get(match)
            room = await asyncio.shield(loading) if loading is not None else self._rooms.get(match)
            if room is not None:
                await room.rename()

    async def refresh(self, match: MatchId) -> None:
        """Read what was stored past the room of a match, if it has one. Raises: Refusal."""
        loading = self._loading.get(match)
        room = await asyncio.shield(loading) if loading is not None else self._rooms.get(match)
        if room is not None:
            await room.refresh()

    def interrupt(self, since_ms: int) -> None:
        """Let all matches stand still since a moment, also those loaded from now on: nothing can be stored."""
        self._interrupted_ms = since_ms
        for room in self._rooms.values():
            room.interrupt(since_ms)

    def end_interruption(self) -> None:
        """Let all matches go on."""
        self._interrupted_ms = None
        for room in self._rooms.values():
            room.end_interruption()

    async def resume_all(self) -> None:
        """Continue every match that was being played when the server stopped.

        Returns as soon as their ids are known. `find` waits until its match is loaded. Raises: StorageError.
        """
        last_beat_ms = await self._journal.last_beat_ms()
        for match in await self._journal.unfinished():
            self._begin_loading(match, self._resume(match, last_beat_ms or 0))
        if last_beat_ms is None:
            return
        # A match that ended just before the shutdown may not have been rated, and a rematch that was agreed on may not
        # have started: loading the match does that.
        since_ms = last_beat_ms - UNSETTLED_MS
        ended = await self._journal.ended_since(since_ms)
        answered = await self._journal.rematches_answered_since(since_ms)
        for match in dict.fromkeys((*ended, *answered)):
            self._begin_loading(match, self._load(match))

    async def wait_until_loaded(self) -> None:
        """Wait until the matches of before a restart have their rooms, and those that are being loaded."""
        if self._loading:
            await asyncio.wait(tuple(self._loading.values()))

    async def resumed_players(self) -> frozenset[IdentityId]:
        """Wait until the matches of before a restart are loaded; return who plays in a match or is invited to one."""
        await self.wait_until_loaded()
        unfinished = [room.match for room in self._rooms.values() if room.match.phase is not Phase.OVER]
        invited = (match.created.invited for match in unfinished if match.created.invited is not None)
        return frozenset(invited).union(*(match.people for match in unfinished))

    async def sweep(self) -> None:
        """Close rooms that were idle at two sweeps in a row, until cancelled."""
        idle_before: set[MatchId] = set()
        while True:
            await asyncio.sleep(SWEEP_SECONDS)
            idle = {match for match, room in self._rooms.items() if room.is_idle}
            for match in idle & idle_before:
                await self._close(match)
            idle_before = idle
            metrics.ROOMS.set(len(self._rooms))

    async def _close(self, match: MatchId) -> None:
        if self._rooms[match].is_idle:  # still, after others were closed
            room = self._rooms.pop(match)
            await room.close()
            room.free()

    async def close(self) -> None:
        """Stop what happens without a command in every room."""
        for loading in tuple(self._loading.values()):
            loading.cancel()
        rooms = tuple(self._rooms.values())
        self._rooms.clear()
        await asyncio.gather(*(room.close() for room in rooms))

    def _begin_loading(self, match: MatchId, load: Coroutine[None, None, Room]) -> asyncio.Task[Room]:
        loading = asyncio.create_task(load)
        self._loading[match] = loading
        loading.add_done_callback(lambda _: self._end_loading(match))
        return loading

    def _end_loading(self, match: MatchId) -> None:
        loading = self._loading.pop(match)
        if not loading.cancelled() and (error := loading.exception()) is not None:
            log.info("match not loaded", match=match, error=str(error))

    async def _load(self, match: MatchId) -> Room:
        room = self._keep(match, Room(match, await self._recorded(match), self._services))
        room.start()
        return room

    async def _resume(self, match: MatchId, last_beat_ms: int) -> Room:
        recorded = await self._recorded(match)
        room = Room(match, recorded, self._services)
        await room.resume(max(last_beat_ms, recorded[-1].entry.at_ms))
        return self._keep(match, room)

    async def _recorded(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events. Raises: Refusal."""
        with refusing_failures("journal load failed", "read this match", match=match):
            recorded = await self._journal.load(match)
        if not recorded:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        return recorded

    def _keep(self, match: MatchId, room: Room) -> Room:
        self._rooms[match] = room
        if self._interrupted_ms is not None:
            room.interrupt(self._interrupted_ms)
        self._bus.publish(MatchChanged(match))
        metrics.ROOMS.set(len(self._rooms))
        return room

    async def _open(self, events: list[Event], origin: Origin, paired: Sequence[Origin] = ()) -> MatchId:
        match = new_match_id()
        now_ms = self._now_ms()
        entries = [Entry(event, now_ms) for event in events]
        recorded = tuple(Recorded(1 + index, entry) for index, entry in enumerate(entries))
        inbox = self._notifier.changes(None, replay(match, recorded), now_ms, lambda _: False)
        with refusing_failures("journal append failed", match=match):
            finish = finish_from(match, entries)
            if not await self._journal.append(match, 0, entries, origin, finish=finish, paired=paired, inbox=inbox):
                return await self._find_created(origin)
        self._notifier.announce(inbox)
        self._keep(match, Room(match, recorded, self._services)).start()
        return match

    async def _find_created(self, origin: Origin) -> MatchId:
        match = await self._journal.find_created(origin)
        if match is None:
            raise Refusal(Code.UNAVAILABLE, "The match could not be created; please try again.")
        return match

    async def _open_rematch(self, match: Match) -> MatchId:
        events = open_rematch(match, self._now_ms(), self._seat_ratings)
        return await self._open(events, Origin(match.id, CommandId("rematch")))


def _giving_up(match: Match, player: Player, command_id: CommandId, seat: int) -> MatchCommand:
    """Return the command by which a player whose account ends gives up a seat."""
    if match.phase is not Phase.WAITING:
        return Resign(command_id, match.id, seat)
    is_guest = match.maker is not None and match.maker.id != player.id
    return LeaveSeat(command_id, match.id, seat) if is_guest else Abort(command_id, match.id, seat)


def _random_order(seats: int) -> list[int]:
    order = list(range(seats))
    random.SystemRandom().shuffle(order)
    return order
