"""A player's own matches in progress, and whose turn it is in each; correspondence players depend on this list.

The journal is read once for each watching player; after that the bus reports every change. A match without a room on
this node is loaded, because its clock is unknown otherwise.
"""

import asyncio
from collections.abc import Coroutine, Iterable, Set

import structlog

from millrace.protocol import IdentityId, MatchId, Scope, WatchYourMatches, YourMatch, YourMatches
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..callers.feature import Feature, Route
from ..callers.presence import Recipient
from ..cluster.bus import Bus
from ..cluster.events import MatchChanged, PlyMade
from ..journal.journal_store import Journal
from ..matches.match import Match, Phase
from ..rooms.rooms import Rooms
from ..storage.errors import StorageError

INTERVAL_SECONDS = 0.5
"""Delay before a changed list is sent, with all changes until then."""
SHOWN_MATCHES = 50

log = structlog.get_logger()


class YourMatchesHandler(Feature):
    """Sends players the list of their own matches in progress."""

    def __init__(self, rooms: Rooms, journal: Journal, bus: Bus) -> None:
        self._rooms = rooms
        self._journal = journal
        self._lists: dict[IdentityId, dict[MatchId, YourMatch]] = {}
        """The matches of each player who watches the list."""
        self._sent: dict[Recipient, WireFrame | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._loading: set[asyncio.Task[None]] = set()
        bus.subscribe(MatchChanged, self._match_changed)
        bus.subscribe(PlyMade, self._match_changed)
        self.routes = (Route(WatchYourMatches, self.watch, Scope.READ),)

    async def watch(self, message: WatchYourMatches, caller: Caller) -> None:
        """Send the list as soon as it is loaded, and after each change; or stop."""
        if not message.on:
            self.disconnect(caller)
        elif caller not in self._sent:
            self._sent[caller] = None
            if caller.identity in self._lists:
                self._schedule()
            else:
                self._begin_loading(caller.identity)

    def disconnect(self, caller: Caller) -> None:
        """Stop sending the list to a closed connection."""
        if caller not in self._sent:
            return
        del self._sent[caller]
        if all(other.identity != caller.identity for other in self._sent):
            self._lists.pop(caller.identity, None)

    async def close(self) -> None:
        """Stop sending."""
        self._sent.clear()
        self._lists.clear()
        for task in self._loading:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    def _begin_loading(self, identity: IdentityId) -> None:
        self._lists[identity] = {}
        self._spawn(self._load(identity))

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(work)
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)

    async def _load(self, identity: IdentityId) -> None:
        try:
            matches = await self._journal.matches_of(identity, unfinished=True)
        except StorageError as error:
            log.warning("own matches not read", player=identity, error=str(error))
            matches = ()
        for match in matches[:SHOWN_MATCHES]:
            await self._update_from_room(match, {identity})
        self._schedule()

    async def _update_from_room(self, match: MatchId, identities: Set[IdentityId]) -> None:
        try:
            room = await self._rooms.find(match)
        except Refusal as refusal:
            log.info("own match not shown", match=match, error=str(refusal))
            return
        for identity in identities:
            self._update(room.match, identity)
        self._schedule()

    def _match_changed(self, event: MatchChanged | PlyMade) -> None:
        if not self._lists:
            return
        match = self._rooms.peek(event.match)
        watching = set() if match is None else match.people & self._lists.keys()
        if isinstance(event, MatchChanged):
            # The player may have handed over the seat, or the match may have ended on another node.
            watching |= {identity for identity, own in self._lists.items() if event.match in own}
        if not watching:
            return
        room = self._rooms.loaded.get(event.match)
        if room is None:
            self._spawn(self._update_from_room(event.match, watching))
            return
        for identity in watching:
            self._update(room.match, identity)
        self._schedule()

    def _update(self, match: Match, identity: IdentityId) -> None:
        own = self._lists.get(identity)
        if own is None:
            return
        if match.phase is Phase.PLAYING and match.seats_of(identity):
            own[match.id] = your_match(match, identity)
        else:
            own.pop(match.id, None)

    def _schedule(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._send)

    def _send(self) -> None:
        self._timer = None
        frames = {identity: frame_of(YourMatches(in_order(own.values()))) for identity, own in self._lists.items()}
        for listener, sent in tuple(self._sent.items()):
            frame = frames[listener.identity]
            if frame != sent:
                self._sent[listener] = frame
                listener.deliver([frame])


def your_match(match: Match, identity: IdentityId) -> YourMatch:
    """Return a match in progress as seen by one of its players."""
    seats = match.seats_of(identity)
    mover = match.mover
    clock = match.clock
    flag_falls_at_ms = None if clock is None else clock.flag_falls_at_ms
    return YourMatch(
        match.id,
        match.state.game.name,
        tuple("" if player is None else player.name for player in match.players),
        seats,
        mover is not None and mover.level is None and mover.id == identity,
        match.state.ply,
        None if clock is None else clock.settings,
        flag_falls_at_ms if match.first_ply_due_at_ms is None else match.first_ply_due_at_ms,
        match.bot_accounts,
        match.created.tournament,
    )


def in_order(matches: Iterable[YourMatch]) -> tuple[YourMatch, ...]:
    """Return matches in list order: your turn first, then by the time left, untimed ones last."""

    def key(match: YourMatch) -> tuple[bool, bool, int]:
        return (not match.is_your_turn, match.due_at_ms is None, match.due_at_ms or 0)

    return tuple(sorted(matches, key=key))[:SHOWN_MATCHES]
