"""The ratings of all players, in memory, and the turns of finished matches to change them.

Ratings are looked up in memory, about 300 bytes each. Changes by a match are computed from stored ratings
(`server.ratings.rating_changes`) and stored in one transaction with its event. If another process has changed one of
them in between, nothing is stored and the caller settles again; matches of this process take turns.

The node that stores changes informs the other nodes.
"""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial

from millrace.protocol import Created, IdentityId, Player, RatingKind, SeatRating, Speed

from ..cluster.bus import Bus
from ..cluster.events import SharedEvent
from ..journal.reloading import Reloading
from ..matches.match import Match
from ..runtime.system_clock import NowMs
from .rating import Rating
from .rating_changes import Settlement, first_rating, kind_of, settle
from .rating_store import RatingStore, StoredRating

PAGE_RATINGS = 500
"""Maximum number of ratings read at a time; in between, the event loop does other work."""
OVERLAP_MS = 600_000
"""Overlap of a reading with the previous one: a rating has the time of its decision, which precedes its storing."""


class RatingsChanged(SharedEvent, frozen=True):
    """The result of a match has changed ratings."""

    kind: RatingKind
    after: tuple[tuple[IdentityId, Rating], ...]


class Ratings:
    """The ratings of all players."""

    def __init__(self, store: RatingStore, bus: Bus, now_ms: NowMs) -> None:
        self._store = store
        self._bus = bus
        self._now_ms = now_ms
        self._known: dict[tuple[IdentityId, RatingKind], Rating] = {}
        self._since_ms = 0
        """All ratings stored before this time are known."""
        self._turn = asyncio.Lock()
        self._reloading = Reloading()
        bus.subscribe_elsewhere(RatingsChanged, self._take_over)

    async def load(self) -> None:
        """Read the ratings stored since the last time, at first all. Raises: StorageError."""
        began_ms = self._now_ms()
        with self._reloading.replacing():
            page: Sequence[StoredRating] = ()
            while True:
                page = await self._store.stored_since(self._since_ms, page[-1] if page else None, PAGE_RATINGS)
                self._known.update({(stored.identity, stored.kind): stored.rating for stored in page})
                if len(page) < PAGE_RATINGS:
                    break
        self._since_ms = began_ms - OVERLAP_MS

    async def reload(self, identities: Sequence[IdentityId]) -> None:
        """Read the stored ratings of some players again, after a change outside a match. Raises: StorageError."""
        async with self._turn:
            for identity in identities:
                stored = {(each.identity, each.kind): each.rating for each in await self._store.profile(identity)}
                self._reloading.apply(partial(self._known.update, stored))

    def find(self, identity: IdentityId, kind: RatingKind) -> Rating:
        """Return a player's rating in a kind of match."""
        return self._known.get((identity, kind)) or first_rating(identity)

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return a player's rating in a kind of match, in points."""
        return self.find(identity, RatingKind(game, seats, speed)).points

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        """Return the speed of most of a player's rated matches in a game, among those with a settled rating."""
        ratings = {speed: self.find(identity, RatingKind(game, seats, speed)) for speed in Speed}
        settled = [speed for speed, rating in ratings.items() if not rating.is_provisional]
        return max(settled, key=lambda speed: ratings[speed].matches, default=None)

    def seat_rating(self, created: Created, player: Player) -> SeatRating | None:
        """Return a player's rating when taking a seat; None for a guest, who has none."""
        if player.level is None and not player.registered:
            return None
        rating = self.find(player.id, kind_of(created))
        return SeatRating(rating.points, rating.is_provisional)

    @asynccontextmanager
    async def settling(self, match: Match) -> AsyncIterator[Settlement]:
        """Compute the effect of a finished match on the ratings, and lock them while the caller stores it.

        The caller sets `is_stored` of the settlement; if it is true, the new ratings count from then on.
        Raises: StorageError.
        """
        async with self._turn:
            settlement = await settle(match, self._store, self._now_ms())
            yield settlement
            updates = settlement.updates
            if settlement.is_stored and updates is not None:
                event = RatingsChanged(updates.kind, tuple((each.identity, each.after) for each in updates.updates))
                self._take_over(event)
                self._bus.publish(event)

    def _take_over(self, event: RatingsChanged) -> None:
        """Update the ratings after a match, except those for which a later match is already known."""

        def change() -> None:
            for identity, after in event.after:
                known = self._known.get((identity, event.kind))
                if known is None or known.matches < after.matches:
                    self._known[identity, event.kind] = after

        self._reloading.apply(change)
