"""The matches of paired players: each is stored together with the commands that led to it, and ends their searches."""

from collections.abc import Sequence

from millrace.protocol import MatchId, PairingRequest, Player

from ..journal.entries import Origin
from ..journal.unavailable import refusing_failures
from ..rooms.new_matches import NewMatches
from ..storage.batches import Insertion
from ..storage.fences import Fence
from .search_store import SearchStore, ending_insertions, pairing_insertions


class PairedMatches:
    """Creates and finds the matches of paired players."""

    def __init__(self, new_matches: NewMatches, store: SearchStore) -> None:
        self._new_matches = new_matches
        self._store = store

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

        def prepare(match: MatchId) -> list[Insertion]:
            return [*pairing_insertions(paired, match), *ending_insertions(searches)]

        return await self._new_matches.open_paired(request, players, prepare, fence)

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to. Raises: Refusal."""
        with refusing_failures("journal read failed", "look this up"):
            return await self._store.find_paired(asked)
