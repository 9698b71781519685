"""Ratings in a database: what `server.ratings.store.RatingStore` promises, with its SQL.

What matches change is written by the journal.
"""

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy import ColumnElement, Select, and_, bindparam, literal_column, select
from sqlalchemy.sql.base import Executable

from ..accounts.restriction_store import RestrictionKind
from ..journal.ratings import Rating
from ..protocol import IdentityId, MatchId, Player, RatingKind, Speed
from ..ratings.store import HistoryRow, PairResult, RatedPlayer, StoredChange, StoredRating
from .statements import ZERO, compile_text
from .tables import accounts, measures, rating_history, ratings
from .writer import Database

_KIND = ("game", "seats", "speed")
_RATING = (ratings.c.mu, ratings.c.sigma, ratings.c.matches)
_KIND_COLUMNS = (ratings.c.game, ratings.c.seats, ratings.c.speed)
_IS_KIND: ColumnElement[bool] = and_(*(ratings.c[name] == bindparam(name) for name in _KIND))
_IS_IDENTITY = ratings.c.identity == bindparam("identity")


class DatabaseRatings:
    """A `RatingStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

        def text(statement: Executable, *parameters: str) -> str:
            return compile_text(database.dialect, statement, *parameters)

        self._all = text(select(ratings.c.identity, *_KIND_COLUMNS, *_RATING))
        self._one = text(select(*_RATING).where(_IS_KIND, _IS_IDENTITY), *_KIND, "identity")
        self._meetings = text(_meetings(), "one", "other", "since_ms")
        self._leaders = text(_leaders(), *_KIND, "is_bot", "most_sigma", "least_matches", "most")
        profile = select(ratings.c.identity, *_KIND_COLUMNS, *_RATING).where(_IS_IDENTITY)
        self._profile = text(profile.order_by(ratings.c.matches.desc(), *_KIND_COLUMNS), "identity")
        self._history = text(_history(), "identity", "most")
        self._changes_of = text(_changes_of(), "match")

    async def all(self) -> Sequence[StoredRating]:
        """Return every rating. Raises: StorageError."""
        return [_stored(row) for row in await self._database.fetch(self._all)]

    async def ratings_of(self, kind: RatingKind, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Rating]:
        """Return the ratings that some players have in matches of a kind; who has not played is not in it.

        Raises: StorageError.
        """
        found = {}
        for identity in identities:
            for row in await self._database.fetch(self._one, *_parameters(kind), identity):
                found[identity] = Rating(*cast("tuple[float, float, int]", tuple(row)))
        return found

    async def meetings(self, one: IdentityId, other: IdentityId, since_ms: int) -> Sequence[PairResult]:
        """Return the matches of two players that counted since a moment. Raises: StorageError."""
        rows = await self._database.fetch(self._meetings, one, other, since_ms)
        found = cast("Sequence[tuple[int, int, int, int]]", rows)
        return [PairResult(plies, seats, (rank, other_rank)) for plies, seats, rank, other_rank in found]

    async def leaders(
        self, kind: RatingKind, *, bots: bool, most_sigma: float, least_matches: int, most: int
    ) -> Sequence[RatedPlayer]:
        """Return the best people, or the best bots, of those who have an account and are certain enough.

        Raises: StorageError.
        """
        rows = await self._database.fetch(self._leaders, *_parameters(kind), bots, most_sigma, least_matches, most)
        found = cast("Sequence[tuple[IdentityId, str, float, float, int]]", rows)
        return [
            RatedPlayer(Player(identity, name, registered=True, bot=bots), Rating(mu, sigma, count))
            for identity, name, mu, sigma, count in found
        ]

    async def profile(self, identity: IdentityId) -> Sequence[StoredRating]:
        """Return somebody's ratings, that of the most matches first. Raises: StorageError."""
        return [_stored(row) for row in await self._database.fetch(self._profile, identity)]

    async def history(self, identity: IdentityId, most: int) -> Sequence[HistoryRow]:
        """Return the latest changes of somebody's ratings, the oldest of them first. Raises: StorageError."""
        rows = await self._database.fetch(self._history, identity, most)
        found = cast("Sequence[tuple[MatchId, str, int, str, int, float, float]]", reversed(rows))
        return [
            HistoryRow(match, RatingKind(game, seats, Speed(speed)), at_ms, Rating(mu, sigma))
            for match, game, seats, speed, at_ms, mu, sigma in found
        ]

    async def changes_of(self, match: MatchId) -> Sequence[StoredChange]:
        """Return what a match has changed, but for matches that were voided. Raises: StorageError."""
        rows = await self._database.fetch(self._changes_of, match)
        found = cast("Sequence[tuple[IdentityId, str, int, str, int, float, float, float, float]]", rows)
        return [
            StoredChange(match, identity, RatingKind(game, seats, Speed(speed)), at_ms, Rating(*old), Rating(*new))
            for identity, game, seats, speed, at_ms, old, new in (
                (*row[:5], (row[5], row[6]), (row[7], row[8])) for row in found
            )
        ]


def _parameters(kind: RatingKind) -> tuple[str, int, str]:
    return kind.game, kind.seats, kind.speed.value


def _stored(row: Sequence[object]) -> StoredRating:
    identity, game, seats, speed, mu, sigma, count = cast("tuple[IdentityId, str, int, str, float, float, int]", row)
    return StoredRating(identity, RatingKind(game, seats, Speed(speed)), Rating(mu, sigma, count))


def _meetings() -> Select[tuple[int, int, int, int]]:
    one, other = rating_history.alias("one"), rating_history.alias("other")
    both = select(one.c.plies, one.c.seats, one.c.rank, other.c.rank)
    return both.join_from(one, other, one.c.match == other.c.match).where(
        one.c.identity == bindparam("one"),
        other.c.identity == bindparam("other"),
        one.c.at_ms >= bindparam("since_ms"),
    )


def _is_closed() -> ColumnElement[bool]:
    """Return whether the account of a rating is closed."""
    closure = measures.c.kind == literal_column(f"'{RestrictionKind.BAN}'")
    return select(measures.c.words).where(measures.c.identity == ratings.c.identity, closure).exists()


def _leaders() -> Select[tuple[str, str, float, float, int]]:
    standing = select(ratings.c.identity, accounts.c.name, *_RATING)
    return (
        standing.join_from(ratings, accounts, accounts.c.id == ratings.c.identity)
        .where(
            _IS_KIND,
            accounts.c.deleted_ms.is_(None),
            ~_is_closed(),
            accounts.c.is_bot == bindparam("is_bot"),
            ratings.c.sigma <= bindparam("most_sigma"),
            ratings.c.matches >= bindparam("least_matches"),
        )
        .order_by(ratings.c.mu.desc(), ratings.c.identity)
        .limit(bindparam("most"))
        .offset(ZERO)
    )


def _history() -> Executable:
    changes = rating_history.c
    columns = (changes.match, changes.game, changes.seats, changes.speed, changes.at_ms)
    return (
        select(*columns, changes.mu_after, changes.sigma_after)
        .where(changes.identity == bindparam("identity"))
        .order_by(changes.at_ms.desc())
        .limit(bindparam("most"))
        .offset(ZERO)
    )


def _changes_of() -> Executable:
    changes = rating_history.c
    moved = (changes.mu_before, changes.sigma_before, changes.mu_after, changes.sigma_after)
    columns = (changes.identity, changes.game, changes.seats, changes.speed, changes.at_ms)
    return select(*columns, *moved).where(changes.match == bindparam("match")).order_by(changes.seat)
