"""The best players of each kind of match, as they are stored."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import select

from millrace.protocol import Player, RatingKind

from ...callers.restriction_store import is_banned
from ...ratings.rating import Rating
from ...ratings.rating_store import is_kind, ratings
from ...storage.database import Store
from ..accounts.account_store import OWNER, Owner, accounts


class RatedPlayer(NamedTuple):
    """A rating of the owner of an account."""

    player: Player
    rating: Rating


class LeaderStore(Store):
    """The best players. Every method raises StorageError."""

    async def leaders(
        self, kind: RatingKind, *, bots: bool, most_sigma: float, least_matches: int, most: int
    ) -> Sequence[RatedPlayer]:
        """Return the best people, or the best bots, that have an account and a certain rating, best first."""
        is_wanted = (accounts.c.deleted_ms.is_(None), ~is_banned(accounts.c.id), accounts.c.is_bot == bots)
        is_certain = (ratings.c.sigma <= most_sigma, ratings.c.matches >= least_matches)
        found = (
            select(*OWNER, ratings.c.mu, ratings.c.sigma, ratings.c.matches)
            .join_from(ratings, accounts, accounts.c.id == ratings.c.identity)
            .where(is_kind(kind), *is_wanted, *is_certain)
            .order_by(ratings.c.mu.desc(), ratings.c.identity)
            .limit(most)
        )
        pairs = await self._database.pairs(Owner, Rating, found)
        return [RatedPlayer(owner.player, rating) for owner, rating in pairs]
