"""The chats of tournaments: everyone reads them, and everyone with an account writes."""

from millrace.protocol import ChatRoom, IdentityId, TournamentId

from ..callers.caller import Caller, account_of
from ..chat.places import Place
from .tournaments import Tournaments


class TournamentPlace:
    """A tournament. Its players and its spectators share a room."""

    readers = None

    def require_writer(self, caller: Caller) -> None:
        """Raises: Refusal for guests."""
        account_of(caller)

    def room_of(self, _: IdentityId) -> ChatRoom:
        """Return the room of all."""
        return "spectators"

    def may_read(self, _identity: IdentityId, _room: ChatRoom) -> bool:
        """Let everyone read."""
        return True


class TournamentPlaces:
    """The tournaments."""

    def __init__(self, tournaments: Tournaments) -> None:
        self._tournaments = tournaments

    async def find(self, name: str) -> Place:
        """Return a tournament. Raises: Refusal."""
        await self._tournaments.find(TournamentId(name))
        return TournamentPlace()

    def peek(self, _: str) -> Place | None:
        """Return a tournament: its chat does not depend on what happens in it."""
        return TournamentPlace()
