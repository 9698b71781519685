"""The chat of one match in memory, while it has subscribers or a line is being stored."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from millrace.protocol import Chat, ChatLine, ChatLineAdded, ChatRoom, IdentityId
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from ..matches.match import Match, Phase
from ..runtime.turns import Turn

SHOWN_LINES = 100
"""Number of the latest lines that a subscriber receives."""


class OpenChat:
    """The latest lines of a chat, and its subscribers."""

    def __init__(self) -> None:
        self.turn = Turn()
        """Held while lines are read or one is stored."""
        self.is_followed = False
        """Whether lines stored by other nodes are received."""
        self.lines: list[ChatLine] | None = None
        """The latest lines. None until they are loaded."""
        self.subscribers: dict[PlayerSession, tuple[IdentityId, ...]] = {}
        """The subscribed sessions, each with the players that it mutes."""
        self._readers: tuple[frozenset[IdentityId], bool] | None = None
        """The players, and whether the match was over, when the subscribers last received their lines."""

    @property
    def last_number(self) -> int:
        """The number of the latest line, 0 if there is none."""
        return self.lines[-1].number if self.lines else 0

    def add(self, match: Match, line: ChatLine) -> None:
        """Add the next line, and send it to those who may read it."""
        self.lines = [*(self.lines or ()), line][-SHOWN_LINES:]
        self._send_line(match, line)

    def update(self, match: Match, stored: Sequence[ChatLine]) -> None:
        """Replace the lines with those just read, and send new or changed ones.

        Lines that arrived meanwhile stay, and those removed meanwhile stay removed.
        """
        known = self.lines or []
        removed = {line.number for line in known if not line.text}
        stored = [replace(line, text="") if line.number in removed else line for line in stored]
        last_stored = stored[-1].number if stored else 0
        lines = [*stored, *(line for line in known if line.number > last_stored)][-SHOWN_LINES:]
        new = [line for line in lines if line.number > self.last_number]
        is_same_but_for_new = [*known, *new][-len(lines) :] == lines
        self.lines = lines
        if not is_same_but_for_new:
            self.send_all(match)
            return
        for line in new:
            self._send_line(match, line)

    def change(self, match: Match, change: Callable[[ChatLine], ChatLine]) -> None:
        """Change lines, as already stored, and send them all if one has changed."""
        before = self.lines or []
        self.lines = [change(line) for line in before]
        if self.lines != before:
            self.send_all(match)

    def send_to(self, match: Match, session: PlayerSession) -> None:
        """Send a subscriber the lines that it may read."""
        self._readers = self._readers or _readers(match)
        session.deliver([self._frame(match, session)])

    def update_readers(self, match: Match) -> None:
        """Send every subscriber the lines that it may read, if a seat was taken or the match is over."""
        if self._readers != (readers := _readers(match)):
            self._readers = readers
            self.send_all(match)

    def send_all(self, match: Match) -> None:
        """Send every subscriber the lines that it may read."""
        for session in tuple(self.subscribers):
            session.deliver([self._frame(match, session)])

    def _send_line(self, match: Match, line: ChatLine) -> None:
        frame = frame_of(ChatLineAdded(match.id, line))
        for session in tuple(self.subscribers):
            if may_read(match, session.identity, line.room):
                session.deliver([frame])

    def _frame(self, match: Match, session: PlayerSession) -> WireFrame:
        lines = tuple(line for line in self.lines or () if may_read(match, session.identity, line.room))
        return frame_of(Chat(match.id, room_of(match, session.identity), lines, self.subscribers[session]))


def room_of(match: Match, identity: IdentityId) -> ChatRoom:
    """Return the room that a player writes to."""
    return "players" if identity in match.people else "spectators"


def may_read(match: Match, identity: IdentityId, room: ChatRoom) -> bool:
    """Return whether a player may read a room. Everyone reads both when the match is over."""
    return match.phase is Phase.OVER or room == room_of(match, identity)


def _readers(match: Match) -> tuple[frozenset[IdentityId], bool]:
    return match.people, match.phase is Phase.OVER
