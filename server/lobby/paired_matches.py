"""The matches of paired players: an interface of `server.rooms.new_matches.NewMatches`."""

from collections.abc import Sequence
from typing import Protocol

from millrace.protocol import MatchId, PairingRequest, Player

from ..journal.journal import Fence, Origin


class PairedMatches(Protocol):
    """Creates and finds the matches of paired players."""

    async def open_paired(
        self,
        request: PairingRequest,
        players: Sequence[Player],
        paired: Sequence[Origin],
        searches: Sequence[Origin],
        fence: Fence | None,
    ) -> MatchId:
        """Create a match for paired players, listed by seat, who sent the commands `paired`.

        It ends the stored `searches`. Raises: Refusal, also if one of them has already ended.
        """

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to. Raises: Refusal."""
