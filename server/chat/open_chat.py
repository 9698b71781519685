"""One chat in memory, while it has subscribers or a line is being stored."""

from collections.abc import Callable, Sequence

from msgspec.structs import replace

from millrace.protocol import Chat, ChatLine, ChatLineAdded, IdentityId, MatchId
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from ..runtime.turns import Turn
from .places import Place

SHOWN_LINES = 100
"""Number of the latest lines that a subscriber receives."""


class OpenChat:
    """The latest lines of a chat, and its subscribers."""

    def __init__(self, name: MatchId) -> None:
        self.name = name
        """Its match, or the path of another place."""
        self.turn = Turn()
        """Held while lines are read or one is stored."""
        self.is_followed = False
        """Whether lines stored by other nodes are received."""
        self.lines: list[ChatLine] | None = None
        """The latest lines. None until they are loaded."""
        self.subscribers: dict[PlayerSession, tuple[IdentityId, ...]] = {}
        """The subscribed sessions, each with the players that it mutes."""
        self._readers: object = None
        """What decided who might read when the subscribers last received their lines."""

    @property
    def last_number(self) -> int:
        """The number of the latest line, 0 if there is none."""
        return self.lines[-1].number if self.lines else 0

    def add(self, place: Place, line: ChatLine) -> None:
        """Add the next line, and send it to those who may read it."""
        self.lines = [*(self.lines or ()), line][-SHOWN_LINES:]
        self._send_line(place, line)

    def update(self, place: Place, stored: Sequence[ChatLine]) -> None:
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
            self.send_all(place)
            return
        for line in new:
            self._send_line(place, line)

    def change(self, place: Place, change: Callable[[ChatLine], ChatLine]) -> None:
        """Change lines, as already stored, and send them all if one has changed."""
        before = self.lines or []
        self.lines = [change(line) for line in before]
        if self.lines != before:
            self.send_all(place)

    def send_to(self, place: Place, session: PlayerSession) -> None:
        """Send a subscriber the lines that it may read."""
        self._readers = self._readers or place.readers
        session.deliver([self._frame(place, session)])

    def update_readers(self, place: Place) -> None:
        """Send every subscriber the lines that it may read, if others may read now."""
        if self._readers != (readers := place.readers):
            self._readers = readers
            self.send_all(place)

    def send_all(self, place: Place) -> None:
        """Send every subscriber the lines that it may read."""
        for session in tuple(self.subscribers):
            session.deliver([self._frame(place, session)])

    def _send_line(self, place: Place, line: ChatLine) -> None:
        frame = frame_of(ChatLineAdded(self.name, line))
        for session in tuple(self.subscribers):
            if place.may_read(session.identity, line.room):
                session.deliver([frame])

    def _frame(self, place: Place, session: PlayerSession) -> WireFrame:
        lines = tuple(line for line in self.lines or () if place.may_read(session.identity, line.room))
        return frame_of(Chat(self.name, place.room_of(session.identity), lines, self.subscribers[session]))
