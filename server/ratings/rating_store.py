"""The interface of stored ratings; `server.storage` implements it.

What a match changes is stored by the journal together with the match's event (`server.journal.journal.Journal.append`),
so that each match changes ratings exactly once.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, MatchId, Player, RatingKind

from ..journal.ratings import Rating


class StoredRating(NamedTuple):
    """A player's rating in matches of a kind."""

    identity: IdentityId
    kind: RatingKind
    rating: Rating


class RatedPlayer(NamedTuple):
    """A rating of the owner of an account."""

    player: Player
    rating: Rating


class HistoryRow(NamedTuple):
    """A player's rating after one match."""

    match: MatchId
    kind: RatingKind
    at_ms: int
    after: Rating
    """Its `matches` is not stored."""


class StoredChange(NamedTuple):
    """What one match changed for one player."""

    match: MatchId
    identity: IdentityId
    kind: RatingKind
    at_ms: int
    before: Rating
    """Its `matches` is not stored, nor that of `after`."""
    after: Rating


class PairResult(NamedTuple):
    """A match of two players that counted."""

    plies: int
    seats: int
    ranks: tuple[int, int]
    """Of the one and of the other."""


class RatingStore(Protocol):
    """The ratings that are stored. Every method raises StorageError."""

    async def stored_since(self, since_ms: int, after: StoredRating | None, most: int) -> Sequence[StoredRating]:
        """Return the ratings that were stored since a moment and come after one of them, by identity and kind: the
        first `most` of these. With None for `after`, the very first."""

    async def ratings_of(self, kind: RatingKind, identities: Sequence[IdentityId]) -> Mapping[IdentityId, Rating]:
        """Return the ratings that some players have in matches of a kind, for those who have played."""

    async def encounters(self, one: IdentityId, other: IdentityId, since_ms: int) -> Sequence[PairResult]:
        """Return the results of two players against each other that have counted since a moment."""

    async def leaders(
        self, kind: RatingKind, *, bots: bool, most_sigma: float, least_matches: int, most: int
    ) -> Sequence[RatedPlayer]:
        """Return the best people, or the best bots, that have an account and a certain rating, best first."""

    async def profile(self, identity: IdentityId) -> Sequence[StoredRating]:
        """Return a player's ratings, the one with the most matches first."""

    async def history(self, identity: IdentityId, most: int) -> Sequence[HistoryRow]:
        """Return the latest changes of a player's ratings, oldest first."""

    async def changes_of(self, match: MatchId) -> Sequence[StoredChange]:
        """Return what a match has changed; nothing for a voided match."""
