"""Whose turn it is, told to those who follow the list of their own matches: what correspondence needs.

It asks the journal once which matches somebody plays, and hears of every change from then on.
"""

import asyncio
from collections.abc import Iterable

import structlog

from ..bus.bus import Bus
from ..bus.events import MatchChanged
from ..identity.presence import Recipient
from ..journal.store import Journal, StorageError
from ..matches.match import Match, Phase
from ..protocol import IdentityId, MatchId, YourMatch, YourMatches
from ..protocol.frames import WireFrame, frame_of
from ..protocol.refusal import Refusal
from ..rooms.rooms import Rooms

INTERVAL_SECONDS = 0.5
"""A changed list is told after so long, with all that has changed by then."""
SHOWN_MATCHES = 50

log = structlog.get_logger()


class YourMatchesHandler:
    """Who follows the list of their own matches."""

    def __init__(self, rooms: Rooms, journal: Journal, bus: Bus) -> None:
        self._rooms = rooms
        self._journal = journal
        self._lists: dict[IdentityId, dict[MatchId, YourMatch]] = {}
        """The matches that each identity plays which somebody follows."""
        self._told: dict[Recipient, WireFrame | None] = {}
        self._timer: asyncio.TimerHandle | None = None
        self._loading: set[asyncio.Task[None]] = set()
        bus.subscribe(MatchChanged, lambda event: self._match_changed(event.match))

    def watch(self, listener: Recipient) -> None:
        """Tell a listener the list, as soon as it is read and whenever it changes."""
        if listener in self._told:
            return
        self._told[listener] = None
        if listener.identity in self._lists:
            self._schedule()
            return
        self._lists[listener.identity] = {}
        task = asyncio.create_task(self._load(listener.identity))
        self._loading.add(task)
        task.add_done_callback(self._loading.discard)

    def unwatch(self, listener: Recipient) -> None:
        """Tell a listener the list no longer."""
        if listener not in self._told:
            return
        del self._told[listener]
        if all(other.identity != listener.identity for other in self._told):
            self._lists.pop(listener.identity, None)

    def close(self) -> None:
        """Tell nobody anything more."""
        self._told.clear()
        self._lists.clear()
        for task in self._loading:
            task.cancel()
        if self._timer is not None:
            self._timer.cancel()

    async def _load(self, identity: IdentityId) -> None:
        try:
            matches = await self._journal.matches_of(identity, unfinished=True)
        except StorageError as error:
            log.warning("own matches not read", error=str(error))
            matches = ()
        for match in matches[:SHOWN_MATCHES]:
            try:
                self._note((await self._rooms.find(match)).match, identity)
            except Refusal as refusal:
                log.info("own match not shown", match=match, error=str(refusal))
        self._schedule()

    def _match_changed(self, match_id: MatchId) -> None:
        match = self._rooms.peek(match_id) if self._lists else None
        if match is None:
            return
        followers = match.people & self._lists.keys()
        for identity in followers:
            self._note(match, identity)
        if followers:
            self._schedule()

    def _note(self, match: Match, identity: IdentityId) -> None:
        own = self._lists.get(identity)
        if own is None:
            return
        if match.phase is Phase.PLAYING:
            own[match.id] = your_match(match, identity)
        else:
            own.pop(match.id, None)

    def _schedule(self) -> None:
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(INTERVAL_SECONDS, self._tell)

    def _tell(self) -> None:
        self._timer = None
        frames = {identity: frame_of(YourMatches(in_order(own.values()))) for identity, own in self._lists.items()}
        for listener, told in tuple(self._told.items()):
            frame = frames[listener.identity]
            if frame != told:
                self._told[listener] = frame
                listener.deliver([frame])


def your_match(match: Match, identity: IdentityId) -> YourMatch:
    """Return the line of a match being played in the list of one of its players."""
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
    )


def in_order(matches: Iterable[YourMatch]) -> tuple[YourMatch, ...]:
    """Return the matches as they are listed: own turns first, then by the time that is left, untimed ones last."""

    def key(match: YourMatch) -> tuple[bool, bool, int]:
        return (not match.is_your_turn, match.due_at_ms is None, match.due_at_ms or 0)

    return tuple(sorted(matches, key=key))[:SHOWN_MATCHES]
