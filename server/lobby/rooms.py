"""What the lobby needs of rooms: interfaces that `server.rooms.rooms.Rooms` implements and tests replace."""

from collections.abc import Sequence
from typing import Protocol

from ..matches.match import Match
from ..protocol import Accepted, CommandId, Create, IdentityId, MatchId, PairingRequest, Player


class LoadedMatches(Protocol):
    """The matches that are loaded in this process."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match, or None if it is not loaded."""


class WaitingMatches(LoadedMatches, Protocol):
    """Matches that wait for players."""

    async def find_created(self, command: CommandId, creator: Player) -> Accepted | None:
        """Return the answer to an earlier creation by the same command. Raises: Refusal."""

    async def open(self, command: Create, creator: Player, invited: IdentityId | None = None) -> Accepted:
        """Create a match, or find the one that the same command created before. Raises: Refusal."""

    async def decline(self, match: MatchId, player: Player) -> None:
        """Decline a challenge for a player. Raises: Refusal."""


class PairedMatches(Protocol):
    """Matches of players who were paired."""

    async def open_paired(self, request: PairingRequest, players: Sequence[Player]) -> MatchId:
        """Create a match for paired players, listed by seat. Raises: Refusal."""
