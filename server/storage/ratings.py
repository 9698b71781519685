"""Ratings in a database: implements `server.ratings.rating_store.RatingStore`.

Only reads: the journal writes what matches change.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, select, tuple_

from millrace.protocol import IdentityId, MatchId, Player, RatingKind, Speed

from ..journal.ratings import Rating
from ..players.accounts.restriction_store import RestrictionKind
from ..ratings.rating_store import HistoryRow, PairResult, RatedPlayer, StoredChange, StoredRating
from .database import Database
from .tables import accounts, rating_history, ratings, restrictions

_RATING = (ratings.c.mu, ratings.c.sigma, ratings.c.matches)
_KEY = (ratings.c.identity, ratings.c.game, ratings.c.seats, ratings.c.speed)
_STORED = (*_KEY, *_RATING)


class _StoredRating(NamedTuple):
    identity: IdentityId
    game: str
    seats: int
    speed: Speed
    mu: float
    sigma: float
    matches: int

    @property
    def rating(self) -> StoredRating:
        kind = RatingKind(self.game, self.seats, self.speed)
        return StoredRating(self.identity, kind, Rating(self.mu, self.sigma, self.matches))


class _Named(NamedTuple):
    identity: IdentityId
    name: str


class _Ranked(NamedTuple):
    identity: IdentityId
    mu: float
    sigma: float
    matches: int


class _Change(NamedTuple):
    """A row of `rating_history`, but for the rank and plies."""

    match: MatchId
    identity: IdentityId
    game: str
    seats: int
    speed: Speed
    at_ms: int
    mu_before: float
    sigma_before: float
    mu_after: float
    sigma_after: float

    @property
    def kind(self) -> RatingKind:
        return RatingKind(self.game, self.seats, self.speed)

    @property
    def before(self) -> Rating:
        return Rating(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Rating:
        return Rating(self.mu_after, self.sigma_after)


class _PairResult(NamedTuple):
    plies: int
    seats: int
    rank: int
    other_rank: int


_CHANGE = [rating_history.c[name] for name in _Change._fields]


class DatabaseRatings:
    """A `RatingStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def stored_since(self, since_ms: int, after: StoredRating | None, most: int) -> Sequence[StoredRating]:
        """Return a page of the ratings that were stored since a moment, by identity and kind. Raises: StorageError."""
        found = select(*_STORED).where(ratings.c.updated_ms >= since_ms).order_by(*_KEY).limit(most)
        if after is not None:
            kind = after.kind
            found = found.where(tuple_(*_KEY) > tuple_(after.identity, kind.game, kind.seats, kind.speed.value))
        return [row.rating for row in await self._database.records(_StoredRating, found)]

    async def ratings_of(self, kind: RatingKind, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Rating]:
        """Return the ratings of players in matches of a kind; those who have not played are left out.

        Raises: StorageError.
        """
        found = select(ratings.c.identity, *_RATING).where(_is_kind(kind), ratings.c.identity.in_(identities))
        stored = await self._database.records(_Ranked, found)
        return {row.identity: Rating(row.mu, row.sigma, row.matches) for row in stored}

    async def encounters(self, one: IdentityId, other: IdentityId, since_ms: int) -> Sequence[PairResult]:
        """Return the rated matches of two players since a moment. Raises: StorageError."""
        first, second = rating_history.alias("first"), rating_history.alias("second")
        found = (
            select(first.c.plies, first.c.seats, first.c.rank, second.c.rank)
            .join_from(first, second, first.c.match == second.c.match)
            .where(first.c.identity == one, second.c.identity == other, first.c.at_ms >= since_ms)
        )
        stored = await self._database.records(_PairResult, found)
        return [PairResult(row.plies, row.seats, (row.rank, row.other_rank)) for row in stored]

    async def leaders(
        self, kind: RatingKind, *, bots: bool, most_sigma: float, least_matches: int, most: int
    ) -> Sequence[RatedPlayer]:
        """Return the best players, or the best bots, who have an account and a certain rating, up to `most`.

        Raises: StorageError.
        """
        is_ban = restrictions.c.kind == RestrictionKind.BAN.value
        is_banned = select(restrictions.c.reason).where(restrictions.c.identity == ratings.c.identity, is_ban).exists()
        is_wanted = (accounts.c.deleted_ms.is_(None), ~is_banned, accounts.c.is_bot == bots)
        is_certain = (ratings.c.sigma <= most_sigma, ratings.c.matches >= least_matches)
        found = (
            select(ratings.c.identity, accounts.c.name, *_RATING)
            .join_from(ratings, accounts, accounts.c.id == ratings.c.identity)
            .where(_is_kind(kind), *is_wanted, *is_certain)
            .order_by(ratings.c.mu.desc(), ratings.c.identity)
            .limit(most)
        )
        pairs = await self._database.pairs(_Named, Rating, found)
        return [RatedPlayer(Player(*named, registered=True, bot=bots), rating) for named, rating in pairs]

    async def profile(self, identity: IdentityId) -> Sequence[StoredRating]:
        """Return a player's ratings, that of the most matches first. Raises: StorageError."""
        found = select(*_STORED).where(ratings.c.identity == identity)
        found = found.order_by(ratings.c.matches.desc(), ratings.c.game, ratings.c.seats, ratings.c.speed)
        return [row.rating for row in await self._database.records(_StoredRating, found)]

    async def history(self, identity: IdentityId, most: int) -> Sequence[HistoryRow]:
        """Return the latest changes of a player's ratings, up to `most`, the oldest first. Raises: StorageError."""
        changes = rating_history.c
        found = select(*_CHANGE).where(changes.identity == identity).order_by(changes.at_ms.desc()).limit(most)
        stored = await self._database.records(_Change, found)
        return [HistoryRow(row.match, row.kind, row.at_ms, row.after) for row in reversed(stored)]

    async def changes_of(self, match: MatchId) -> Sequence[StoredChange]:
        """Return what a match has changed; nothing for a voided match. Raises: StorageError."""
        found = select(*_CHANGE).where(rating_history.c.match == match).order_by(rating_history.c.seat)
        stored = await self._database.records(_Change, found)
        return [StoredChange(match, row.identity, row.kind, row.at_ms, row.before, row.after) for row in stored]


def _is_kind(kind: RatingKind) -> ColumnElement[bool]:
    return and_(ratings.c.game == kind.game, ratings.c.seats == kind.seats, ratings.c.speed == kind.speed.value)
