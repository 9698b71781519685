"""A match as its room keeps it: the fold of its events, and each event as those who watch hear of it.

It knows neither who watches nor what is stored. Imported by `server.rooms.room`.
"""

from bisect import bisect_right
from collections.abc import Sequence

from server import metrics
from server.journal import Recorded
from server.matches.match import Match
from server.matches.memory import Memory
from server.matches.views import board_of, encode_happenings, happened
from server.protocol import Board, MatchId, encode


class Transcript:
    """A match that is told event by event."""

    def __init__(self, match: MatchId, recorded: Sequence[Recorded]) -> None:
        self.match = Match.replayed(match, recorded[:1])
        self.memory = Memory()
        self._boards = [board_of(self.match.state)]
        self._board_seqs = [self.match.seq]
        self._happened = [encode(happened(self._boards[0], None, self.match, recorded[0]))]
        for later in recorded[1:]:
            self.add(later)

    def add(self, recorded: Recorded) -> bytes:
        """Fold the next event, and return it encoded as those who watch hear of it."""
        before, self.match = self.match, self.match.after(recorded)
        told = happened(self._boards[-1], before, self.match, recorded)
        if told.view is not None and told.view.board is not None:
            self._boards.append(told.view.board)
            self._board_seqs.append(told.seq)
        message = encode(told)
        self._happened.append(message)
        self.memory.note(recorded)
        metrics.EVENTS_BY_KIND[type(recorded.entry.event)].inc()
        return message

    def board_after(self, seq: int) -> Board:
        """Return the board as it is drawn after an event."""
        return self._boards[max(0, bisect_right(self._board_seqs, seq) - 1)]

    def encoded_since(self, seq: int) -> list[bytes]:
        """Return what somebody has missed since an event, encoded; nothing if that is nothing."""
        if seq >= len(self._happened):
            return []
        return [encode_happenings(self.match.id, self._happened[seq:])]
