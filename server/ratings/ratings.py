"""The ratings of all players, in memory, and the turn in which a finished match changes them.

Memory answers how strong a player is: about 300 bytes for each rating. What a match changes is computed from stored
ratings (`server.ratings.rating_changes`) and stored in one transaction with its event. If another process has
changed one of them in between, nothing is stored and the caller settles again; matches of this process take turns.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from ..journal.ratings import Rating
from ..matches.match import Match
from ..protocol import Created, IdentityId, Player, RatingKind, SeatRating, Speed
from ..system_clock import NowMs
from .rating_changes import Settlement, first_rating, kind_of, settle
from .store import RatingStore


class Ratings:
    """The ratings of all players."""

    def __init__(self, store: RatingStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms
        self._known: dict[tuple[IdentityId, RatingKind], Rating] = {}
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        """Read all stored ratings. Raises: StorageError."""
        for stored in await self._store.all():
            self._known[stored.identity, stored.kind] = stored.rating

    async def reload(self, identities: Sequence[IdentityId]) -> None:
        """Read the stored ratings of some players again, after a change outside a match. Raises: StorageError."""
        async with self._turn:
            for identity in identities:
                for stored in await self._store.profile(identity):
                    self._known[stored.identity, stored.kind] = stored.rating

    def find(self, identity: IdentityId, kind: RatingKind) -> Rating:
        """Return a player's rating in matches of a kind."""
        return self._known.get((identity, kind)) or first_rating(identity)

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return a player's rating in matches of a kind, in points."""
        return self.find(identity, RatingKind(game, seats, speed)).points

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        """Return the speed at which most of a player's rated matches in a game were played, among those at which the
        rating is not provisional; None if there is none."""
        ratings = {speed: self.find(identity, RatingKind(game, seats, speed)) for speed in Speed}
        settled = [speed for speed, rating in ratings.items() if not rating.is_provisional]
        return max(settled, key=lambda speed: ratings[speed].matches, default=None)

    def seat_rating(self, created: Created, player: Player) -> SeatRating | None:
        """Return the rating with which a player takes a seat of a match; None for a guest, who has none."""
        if player.level is None and not player.registered:
            return None
        rating = self.find(player.id, kind_of(created))
        return SeatRating(rating.points, rating.is_provisional)

    @asynccontextmanager
    async def settling(self, match: Match) -> AsyncIterator[Settlement]:
        """Compute what a finished match does to the ratings, and hold them while the caller stores it.

        The caller sets `is_stored` of the settlement; if it is true, the new ratings count from then on.
        Raises: StorageError.
        """
        async with self._turn:
            settlement = await settle(match, self._store, self._now_ms())
            yield settlement
            updates = settlement.updates
            if settlement.is_stored and updates is not None:
                self._known |= {(each.identity, updates.kind): each.after for each in updates.updates}
