"""A match as its room keeps it: the fold of its events, and each event as those who watch hear of it.

It knows neither who watches nor what is stored.
"""

from bisect import bisect_right
from collections import deque
from collections.abc import Sequence

from millrace.engine.state import State

from .. import metrics
from ..journal.store import Recorded
from ..matches.idempotency import Memory
from ..matches.match import Match
from ..matches.views import board_of, encode_match_events, match_event_of
from ..protocol import Board, MatchId, Moved, encode


class Transcript:
    """A match that is told event by event."""

    def __init__(self, match: MatchId, recorded: Sequence[Recorded]) -> None:
        self.match = Match.replayed(match, recorded[:1])
        self._kept_back: deque[Match] = deque(maxlen=self.match.created.delay_plies)
        """The match before each of the latest plies, as many as are kept back from those who hold no seat."""
        self.memory = Memory()
        self._boards = [board_of(self.match.state)]
        self._board_seqs = [self.match.seq]
        self._encoded_events = [encode(match_event_of(self._boards[0], None, self.match, recorded[0]))]
        for later in recorded[1:]:
            self.add(later)

    @property
    def shown(self) -> Match:
        """The match as those who hold no seat know it: without the plies that are kept back, and all since the first of
        these; but of a match that is over, all."""
        return self.match if self.match.ended is not None or not self._kept_back else self._kept_back[0]

    def add(self, recorded: Recorded, played: State | None = None) -> bytes:
        """Fold the next event, and return it encoded as those who watch hear of it. See `Match.after` for `played`."""
        if isinstance(recorded.entry.event, Moved):
            self._kept_back.append(self.match)
        before, self.match = self.match, self.match.after(recorded, played)
        match_event = match_event_of(self._boards[-1], before, self.match, recorded)
        if match_event.view is not None and match_event.view.board is not None:
            self._boards.append(match_event.view.board)
            self._board_seqs.append(match_event.seq)
        message = encode(match_event)
        self._encoded_events.append(message)
        self.memory.note(recorded)
        metrics.EVENTS_BY_KIND[type(recorded.entry.event)].inc()
        return message

    def board_after(self, seq: int) -> Board:
        """Return the board as it is drawn after an event."""
        return self._boards[max(0, bisect_right(self._board_seqs, seq) - 1)]

    def told(self, since: int, until: int) -> list[bytes]:
        """Return the events after one up to another, each encoded as those who watch hear of it."""
        return self._encoded_events[since:until]

    def encoded(self, since: int, until: int) -> list[bytes]:
        """Return what somebody has missed after an event up to another, encoded; nothing if that is nothing."""
        missed = self.told(since, until)
        return [encode_match_events(self.match.id, missed)] if missed else []
