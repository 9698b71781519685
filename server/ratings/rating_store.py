"""Stored ratings.

What a match changes is stored together with the match's event, so that each match changes ratings exactly once.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Executable, Index, and_, case, delete, literal_column, select, tuple_, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.types import BigInteger, Double, Integer, SmallInteger, Text

from millrace.protocol import IdentityId, MatchId, Player, RatingKind, Speed

from ..storage.appends import Insertion, Row, Statement, parameters
from ..storage.database import Step, Store
from ..storage.tables import define_table, required
from .rating import Rating, RatingUpdates


class StoredRating(NamedTuple):
    """A player's rating in matches of a kind."""

    identity: IdentityId
    kind: RatingKind
    rating: Rating


class StoredChange(NamedTuple):
    """What one match changed for one player: a row of `rating_history` without the rank and plies."""

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
        """The kind of match."""
        return RatingKind(self.game, self.seats, self.speed)

    @property
    def before(self) -> Rating:
        """The rating before the match. Its `matches` is not stored, nor that of `after`."""
        return Rating(self.mu_before, self.sigma_before)

    @property
    def after(self) -> Rating:
        """The rating after the match."""
        return Rating(self.mu_after, self.sigma_after)


class PairResult(NamedTuple):
    """A match of two players that counted."""

    plies: int
    seats: int
    ranks: tuple[int, int]
    """Of the one and of the other."""


ratings = define_table(
    "ratings",
    ["identity", "game", "seats", "speed"],
    *required(Text, "identity", "game"),
    *required(SmallInteger, "seats"),
    *required(Text, "speed"),
    *required(Double, "mu", "sigma"),
    *required(Integer, "matches"),
    *required(BigInteger, "updated_ms"),
)
"""A player's rating in matches of a kind, and the number of results that it rests on."""

Index("ratings_leaders", ratings.c.game, ratings.c.seats, ratings.c.speed, ratings.c.mu)

rating_history = define_table(
    "rating_history",
    ["match", "seat"],
    *required(Text, "match"),
    *required(SmallInteger, "seat"),
    *required(Text, "identity", "game"),
    *required(SmallInteger, "seats"),
    *required(Text, "speed"),
    *required(SmallInteger, "rank"),
    *required(Integer, "plies"),
    *required(BigInteger, "at_ms"),
    *required(Double, "mu_before", "sigma_before", "mu_after", "sigma_after"),
)
"""How each rated match changed the ratings of its players."""

Index("rating_history_identity", rating_history.c.identity, rating_history.c.at_ms)


_RATING = (ratings.c.mu, ratings.c.sigma, ratings.c.matches)
_KEY = (ratings.c.identity, ratings.c.game, ratings.c.seats, ratings.c.speed)
_STORED = (*_KEY, *_RATING)


class _Kind(NamedTuple):
    identity: IdentityId
    game: str
    seats: int
    speed: Speed


_CHANGE = [rating_history.c[name] for name in StoredChange._fields]


ONE: ColumnElement[int] = literal_column("1")
"""Part of the statement's text, so that the rows are its only parameters."""


def _put_rating() -> Executable:
    """Return an insert that violates a constraint unless one match less is stored, where a rating is stored."""
    put = insert(ratings).values(parameters(ratings))
    new = put.excluded
    matches_after = case((ratings.c.matches == new.matches - ONE, new.matches))
    return put.on_conflict_do_update(
        index_elements=["identity", "game", "seats", "speed"],
        set_={"mu": new.mu, "sigma": new.sigma, "matches": matches_after, "updated_ms": new.updated_ms},
    )


PUT_RATING = Statement(_put_rating(), tuple(ratings.c.keys()))
INSERT_HISTORY = Statement(insert(rating_history).values(parameters(rating_history)), tuple(rating_history.c.keys()))

STATEMENTS = (PUT_RATING, INSERT_HISTORY)
"""In the order in which a batch of the journal runs them."""


class RatingStore(Store):
    """The ratings that are stored. Every method raises StorageError."""

    async def stored_since(self, since_ms: int, after: StoredRating | None, most: int) -> Sequence[StoredRating]:
        """Return the first `most` ratings stored since a time, by identity and kind, that come after another one."""
        found = select(*_STORED).where(ratings.c.updated_ms >= since_ms).order_by(*_KEY).limit(most)
        if after is not None:
            kind = after.kind
            found = found.where(tuple_(*_KEY) > tuple_(after.identity, kind.game, kind.seats, kind.speed.value))
        return await self._stored(found)

    async def ratings_of(self, kind: RatingKind, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Rating]:
        """Return the ratings that some players have in matches of a kind, for those who have played."""
        found = select(ratings.c.identity, *_RATING).where(is_kind(kind), ratings.c.identity.in_(identities))
        return {identity: Rating(*rating) for identity, *rating in await self._database.rows(found)}

    async def encounters(self, one: IdentityId, other: IdentityId, since_ms: int) -> Sequence[PairResult]:
        """Return the results of two players against each other that have counted since a moment."""
        first, second = rating_history.alias("first"), rating_history.alias("second")
        found = (
            select(first.c.plies, first.c.seats, first.c.rank, second.c.rank)
            .join_from(first, second, first.c.match == second.c.match)
            .where(first.c.identity == one, second.c.identity == other, first.c.at_ms >= since_ms)
        )
        return [PairResult(plies, seats, (*ranks,)) for plies, seats, *ranks in await self._database.rows(found)]

    async def profile(self, identity: IdentityId) -> Sequence[StoredRating]:
        """Return a player's ratings, the one with the most matches first."""
        found = select(*_STORED).where(ratings.c.identity == identity)
        found = found.order_by(ratings.c.matches.desc(), ratings.c.game, ratings.c.seats, ratings.c.speed)
        return await self._stored(found)

    async def history(self, identity: IdentityId, most: int) -> Sequence[StoredChange]:
        """Return the latest changes of a player's ratings, oldest first."""
        changes = rating_history.c
        found = select(*_CHANGE).where(changes.identity == identity).order_by(changes.at_ms.desc()).limit(most)
        return (await self._database.records(StoredChange, found))[::-1]

    async def changes_of(self, match: MatchId) -> Sequence[StoredChange]:
        """Return what a match has changed; nothing for a voided match."""
        found = select(*_CHANGE).where(rating_history.c.match == match).order_by(rating_history.c.seat)
        return await self._database.records(StoredChange, found)

    async def _stored(self, statement: Executable) -> Sequence[StoredRating]:
        stored = await self._database.pairs(_Kind, Rating, statement)
        return [StoredRating(kind.identity, RatingKind(*kind[1:]), rating) for kind, rating in stored]


def is_kind(kind: RatingKind) -> ColumnElement[bool]:
    """Return whether a rating is that in matches of a kind."""
    return and_(ratings.c.game == kind.game, ratings.c.seats == kind.seats, ratings.c.speed == kind.speed.value)


def rating_insertions(match: MatchId, at_ms: int, updates: RatingUpdates) -> list[Insertion]:
    """Return the insertions that store what a match changes; nothing is stored if a rating has changed since."""
    kind = (updates.kind.game, updates.kind.seats, updates.kind.speed.value)
    stored: list[Row] = [(each.identity, *kind, *each.after, at_ms) for each in updates.updates]
    history: list[Row] = [
        (match, each.seat, each.identity, *kind, each.rank, updates.plies, at_ms, *each.before[:2], *each.after[:2])
        for each in updates.updates
    ]
    return [Insertion(PUT_RATING, stored), Insertion(INSERT_HISTORY, history)] if stored else []


def reverting_step(match: MatchId) -> Step:
    """Return the step by which a match has changed no rating, as the history has it."""
    return Step(delete(rating_history).where(rating_history.c.match == match))


def restoring_steps(change: StoredChange, current: Rating, after: Rating) -> list[Step]:
    """Return the steps that set a player's rating, if it is `current`, and shift the player's later history."""
    kind, history = change.kind, rating_history.c
    is_current = (ratings.c.mu == current.mu, ratings.c.matches == current.matches)
    is_later = (
        history.identity == change.identity,
        history.game == kind.game,
        history.seats == kind.seats,
        history.speed == kind.speed.value,
        history.at_ms > change.at_ms,
    )
    shift = change.before.mu - change.after.mu
    shifted = {"mu_before": history.mu_before + shift, "mu_after": history.mu_after + shift}
    setting = update(ratings).where(ratings.c.identity == change.identity, is_kind(kind), *is_current)
    return [
        Step(setting.values(after._asdict()), must_change=True),
        Step(update(rating_history).where(*is_later).values(shifted)),
    ]


def deletion_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that delete a player's ratings, and put another player into the history."""
    replacing = update(rating_history).where(rating_history.c.identity == identity)
    return [
        Step(replacing.values(identity=replacement.id)),
        Step(delete(ratings).where(ratings.c.identity == identity)),
    ]
