"""The audience of one match: its players and spectators, what they are sent, and who is present.

Players are sent everything first, spectators after them.
"""

import asyncio
from collections.abc import Callable, Sequence

from millrace.protocol import (
    AudienceUpdate,
    Event,
    Moved,
    Paused,
    PauseEnded,
    Seated,
    SeatFreed,
    Started,
    TakenBack,
    Watching,
    encode,
)
from millrace.protocol.frames import WireFrame, frame_of, wire_frame

from ..callers.presence import Recipient
from ..matches.views import encode_turn
from ..runtime.system_clock import NowMs
from .event_log import AddedEvents, EventLog
from .match_presence import MatchPresence
from .spectators import Spectators, count_spectators

UPDATE_SECONDS = 0.5
"""Minimum time between two updates of who is present."""

LARGE_AUDIENCE = 50
"""From this number of spectators on, their updates come more rarely, in proportion to the number."""

MAX_UPDATE_SECONDS = 10.0
"""Maximum time between two updates for spectators."""

TURN_EVENTS: frozenset[type[Event]] = frozenset((Seated, Started, Moved, TakenBack, PauseEnded))
"""Events after which the player to move is sent the legal moves."""

PRESENCE_EVENTS: frozenset[type[Event]] = frozenset((Seated, SeatFreed, Paused, PauseEnded))
"""Events that change who is present, or from when absence counts."""


class Audience:
    """The players and spectators of one match."""

    def __init__(self, log: EventLog, presence: MatchPresence, now_ms: NowMs, changed: Callable[[], None]) -> None:
        self._log = log
        self._presence = presence
        self._now_ms = now_ms
        self._changed = changed
        """Called when who is present has changed."""
        self._players: set[Recipient] = set()
        self._spectators = Spectators()
        self._counted: set[Recipient] = set()
        """The connections of both that count as present: all but glances."""
        self._timer: asyncio.TimerHandle | None = None
        self._sent_presence: tuple[object, ...] = ()
        self._count_due_at = 0.0

    def __bool__(self) -> bool:
        return bool(self._players or self._spectators)

    @property
    def spectator_count(self) -> int:
        """How many people watch without a seat."""
        return count_spectators(self._presence.identities, self._log.match)

    def add(self, listener: Recipient, since: int, *, is_glance: bool) -> None:
        """Send a connection what it has missed since an event, and everything from now on."""
        match = self._log.match
        if listener.identity in match.people:
            self._players.add(listener)
        else:
            self._spectators.add(listener)
        if not is_glance and listener not in self._counted:
            self._counted.add(listener)
            self._presence.add(listener.identity)
        seats = match.seats_of(listener.identity)
        until = self._log.match_for(listener.identity).seq
        board = self._log.board_after(min(since, until))
        messages = [encode(Watching(match.id, until, board, seats, self._now_ms())), *self._log.encoded(since, until)]
        mover = match.mover
        if mover is not None and mover.level is None and mover.id == listener.identity:
            messages.append(encode_turn(match))
        messages.append(encode(self._update_for(is_player=bool(seats))))
        listener.deliver([wire_frame(message) for message in messages])
        self.schedule_update()

    def remove(self, listener: Recipient, *, has_closed: bool) -> None:
        """Send a connection nothing more; `has_closed` says that it ended on purpose."""
        self._players.discard(listener)
        self._spectators.remove(listener)
        if listener in self._counted:
            self._counted.discard(listener)
            self._presence.remove(listener.identity, has_closed, self._now_ms())
        self.schedule_update()

    def send_events(self, added: AddedEvents) -> None:
        """Send new events to everyone, and the legal moves to the player whose turn they begin."""
        kinds = added.kinds
        for event in added.events:
            if isinstance(event, Seated):
                self._players.update(self._spectators.take_out(event.player.id))
        self.send(added.frames, added.spectator_frames)
        if SeatFreed in kinds:
            self._move_to_spectators(added)
        match = self._log.match
        if not TURN_EVENTS.isdisjoint(kinds):
            self._send_turn()
        # Absence counts from the moment at which every seat has made a ply.
        is_under_way_now = match.state.ply == len(match.players)
        if is_under_way_now or not PRESENCE_EVENTS.isdisjoint(kinds):
            self.schedule_update()

    def _move_to_spectators(self, added: AddedEvents) -> None:
        """Let those who have left their seats watch on, without the news of players."""
        left = {event.player.id for event in added.events if isinstance(event, SeatFreed)} - self._log.match.people
        for listener in [each for each in self._players if each.identity in left]:
            self._players.discard(listener)
            self._spectators.add(listener)

    def send(self, frames: Sequence[WireFrame], spectator_frames: Sequence[WireFrame]) -> None:
        """Send frames to the players, and others to the spectators after them."""
        for listener in tuple(self._players):
            listener.deliver(frames)
        self._spectators.send(spectator_frames)

    def schedule_update(self) -> None:
        """Send everyone who is present, soon."""
        loop = asyncio.get_running_loop()
        soon = loop.time() + UPDATE_SECONDS
        if self._timer is not None:
            if self._timer.when() <= soon:
                return
            self._timer.cancel()
        self._timer = loop.call_at(soon, self._send_update)

    def close(self) -> None:
        """Send no more updates."""
        if self._timer is not None:
            self._timer.cancel()

    def _send_turn(self) -> None:
        mover = self._log.match.mover
        if mover is None or mover.level is not None:
            return
        listeners = [listener for listener in self._players if listener.identity == mover.id]
        if listeners:
            frame = wire_frame(encode_turn(self._log.match))
            for listener in listeners:
                listener.deliver([frame])

    def _update_for(self, *, is_player: bool) -> AudienceUpdate:
        """Return who is present. Spectators of a delayed match do not learn what may be claimed."""
        match = self._log.match
        claimable_at_ms = self._presence.claimable_at_ms(match) if is_player or not match.created.delay_plies else ()
        return AudienceUpdate(match.id, self.spectator_count, self._presence.seats_present(match), claimable_at_ms)

    def _send_update(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        update = self._update_for(is_player=False)
        frame = frame_of(self._update_for(is_player=True))
        for listener in tuple(self._players):
            listener.deliver([frame])
        presence = (update.present, update.claimable_at_ms)
        if presence != self._sent_presence or loop.time() >= self._count_due_at:
            self._sent_presence = presence
            self._count_due_at = loop.time() + update_seconds(len(self._spectators))
            self._spectators.send([frame_of(update)])
        else:
            self._timer = loop.call_at(self._count_due_at, self._send_update)
        self._changed()


def update_seconds(spectators: int) -> float:
    """Return the minimum time between two updates for a number of spectators.

    >>> update_seconds(10), update_seconds(200), update_seconds(5_000)
    (0.5, 2.0, 10.0)
    """
    return min(MAX_UPDATE_SECONDS, UPDATE_SECONDS * max(1.0, spectators / LARGE_AUDIENCE))
