"""What a chat is about: a match, or what another feature offers, such as a tournament.

Messages name a chat by its match, or by a path: `tournament/ID`. Each kind of places is registered under what precedes
the id: matches under "", tournaments under "tournament/".
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from millrace.protocol import ChatRoom, Code, IdentityId, MatchId
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..matches.match import Match, Phase
from ..rooms.rooms import Rooms


class Place(Protocol):
    """What a chat is about, as it is now."""

    @property
    def readers(self) -> object:
        """What decides who may read the lines; they are sent again when it has changed."""

    def require_writer(self, caller: Caller) -> None:
        """Raises: Refusal for players who may not write."""

    def room_of(self, identity: IdentityId) -> ChatRoom:
        """Return the room that a player writes to."""

    def may_read(self, identity: IdentityId, room: ChatRoom) -> bool:
        """Return whether a player may read a room."""


class Places(Protocol):
    """The places of one kind."""

    async def find(self, name: str) -> Place:
        """Return a place, loaded if necessary. Raises: Refusal if there is none."""

    def peek(self, name: str) -> Place | None:
        """Return a place if it is loaded."""


class AllPlaces:
    """The places of all kinds."""

    def __init__(self, kinds: Mapping[str, Places]) -> None:
        self._kinds = kinds

    async def find(self, chat: MatchId) -> Place:
        """Return the place of a chat, loaded if necessary. Raises: Refusal if there is none."""
        kind, name = _split(chat)
        if kind not in self._kinds:
            raise Refusal(Code.UNKNOWN_MATCH, "There is no such match.")
        return await self._kinds[kind].find(name)

    def peek(self, chat: MatchId) -> Place | None:
        """Return the place of a chat if it is loaded."""
        kind, name = _split(chat)
        return self._kinds[kind].peek(name)


def _split(chat: MatchId) -> tuple[str, str]:
    """Return the path and the id in the name of a chat.

    >>> _split(MatchId("tournament/m2x7wq5c3kvd"))
    ('tournament/', 'm2x7wq5c3kvd')
    """
    path, slash, name = chat.rpartition("/")
    return path + slash, name


class MatchPlace(NamedTuple):
    """A match: its players and its spectators have a room each, and everyone reads both when it is over."""

    match: Match

    @property
    def readers(self) -> object:
        """The players, and whether the match is over."""
        return self.match.people, self.match.phase is Phase.OVER

    def require_writer(self, _: Caller) -> None:
        """Let everyone write."""

    def room_of(self, identity: IdentityId) -> ChatRoom:
        """Return the room that a player writes to."""
        return "players" if identity in self.match.people else "spectators"

    def may_read(self, identity: IdentityId, room: ChatRoom) -> bool:
        """Return whether a player may read a room."""
        return self.match.phase is Phase.OVER or room == self.room_of(identity)


class MatchPlaces:
    """The matches."""

    def __init__(self, rooms: Rooms) -> None:
        self._rooms = rooms

    async def find(self, name: str) -> Place:
        """Return a match. Raises: Refusal."""
        return MatchPlace((await self._rooms.find(MatchId(name))).match)

    def peek(self, name: str) -> Place | None:
        """Return a match if it is loaded."""
        match = self._rooms.peek(MatchId(name))
        return None if match is None else MatchPlace(match)
