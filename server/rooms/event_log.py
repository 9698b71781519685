"""The event log of one room: its match, and each event encoded as players and spectators get it.

In memory; `server.rooms.storing` stores events and adds them here. Reloading replaces the content in place, so
every part of a room can hold the log.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence, Set
from typing import NamedTuple, Self

from millrace.engine.state import State
from millrace.protocol import Board, Event, IdentityId, MatchId, Moved, encode
from millrace.protocol.frames import WireFrame, wire_frame

from ..journal.entries import Recorded
from ..matches.fold import apply_event, replay
from ..matches.idempotency import AcceptedCommands
from ..matches.match import Match
from ..matches.views import board_of, encode_match_events, match_event_of
from ..runtime.slices import in_slices


class AddedEvents(NamedTuple):
    """Events that were added to a log, and their frames."""

    events: Sequence[Event]
    frames: Sequence[WireFrame]
    """For the players."""
    spectator_frames: Sequence[WireFrame]
    """For spectators: the same, or what a delay had kept back until now."""
    kinds: Set[type[Event]]
    """The kinds of events that were added."""


class EventLog:
    """The events of one match."""

    def __init__(self, match_id: MatchId, recorded: Sequence[Recorded]) -> None:
        """Fold stored events, at least one."""
        self._match_id = match_id
        self.match = replay(match_id, recorded[:1])
        self._kept_back: deque[Match] = deque(maxlen=self.match.created.delay_plies)
        """The match before each of the latest plies that spectators do not see yet."""
        self.accepted = AcceptedCommands()
        self._boards = [board_of(self.match.state)]
        self._board_seqs = [self.match.seq]
        self._encoded = [encode(match_event_of(self._boards[0], None, self.match, recorded[0]))]
        self.last_at_ms = recorded[0].entry.at_ms
        """When the latest event was stored."""
        for later in recorded[1:]:
            self._add(later, None)

    @classmethod
    async def load(cls, match_id: MatchId, recorded: Sequence[Recorded]) -> Self:
        """Return the log of a match that may be long, folded in slices."""
        log = cls(match_id, recorded[:1])
        async for later in in_slices(recorded[1:]):
            log._add(later, None)
        return log

    def replace(self, other: "EventLog") -> None:
        """Take over the content of another log of the match."""
        vars(self).update(vars(other))

    @property
    def shown(self) -> Match:
        """The match as spectators see it: without the latest plies if it is delayed, until it is over."""
        return self.match if self.match.ended is not None or not self._kept_back else self._kept_back[0]

    def match_for(self, identity: IdentityId) -> Match:
        """Return the match as a player or a spectator may see it."""
        return self.match if identity in self.match.people else self.shown

    def add(self, recorded: Sequence[Recorded], played: State | None = None) -> AddedEvents:
        """Add the next stored events; `played` is the position after the ply among them, if the caller knows it."""
        shown_before, events, frames = self.shown.seq, [], []
        for each in recorded:
            events.append(each.entry.event)
            frames.append(wire_frame(self._add(each, played)))
        shown = self.shown.seq
        spectator_frames = frames
        if shown != self.match.seq or shown - shown_before != len(frames):
            spectator_frames = [wire_frame(message) for message in self._encoded[shown_before:shown]]
        return AddedEvents(events, frames, spectator_frames, frozenset(map(type, events)))

    def board_after(self, seq: int) -> Board:
        """Return the board that is drawn after an event."""
        return self._boards[max(0, bisect_right(self._board_seqs, seq) - 1)]

    def encoded(self, since: int, until: int) -> list[bytes]:
        """Return the message with the events after `since` up to `until`; an empty list if there are none."""
        missed = self._encoded[since:until]
        return [encode_match_events(self._match_id, missed)] if missed else []

    def _add(self, recorded: Recorded, played: State | None) -> bytes:
        """Add a stored event, and return its message. What may fail comes first, so that a fault changes nothing."""
        before, event = self.match, recorded.entry.event
        match = apply_event(before, recorded, played)
        match_event = match_event_of(self._boards[-1], before, match, recorded)
        message = encode(match_event)
        self.accepted.add(recorded)
        self.match, self.last_at_ms = match, recorded.entry.at_ms
        if isinstance(event, Moved):
            self._kept_back.append(before)
        if match_event.view is not None and match_event.view.board is not None:
            self._boards.append(match_event.view.board)
            self._board_seqs.append(match_event.seq)
        if match.state is not before.state:
            before.state.forget()
        self._encoded.append(message)
        return message
