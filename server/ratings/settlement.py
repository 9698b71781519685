"""The keeper of ratings: settles what matches do to them, and knows everyone's.

What a match changes is computed from what is stored, and stored in one transaction with the event that tells of it; if
another match has changed one of the ratings in between, nothing is stored and it is computed anew. Those of this
process take turns. Beside that all ratings are held in memory, for those who ask how strong somebody is: about 300
bytes each.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from msgspec.structs import replace

from ..journal.ratings import Rating, RatingUpdate, RatingUpdates
from ..matches.match import BUILT_IN_BOTS, Match
from ..matches.speed import speed_of
from ..protocol import (
    Created,
    Event,
    IdentityId,
    Player,
    Rated,
    RatingChange,
    RatingKind,
    Seated,
    SeatRating,
    Speed,
    Unrated,
)
from ..system_clock import NowMs
from .eligibility import DAY_MS, WORDS, pairs_of, seats_to_rate, why_unrated
from .formula import rate, rating_of_bot
from .store import RatingStore

Append = Callable[[Rated, RatingUpdates | None], Awaitable[bool]]
"""Stores what a match does to the ratings; False if something else was stored first."""


def kind_of(created: Created) -> RatingKind:
    """Return in which ratings a match belongs."""
    return RatingKind(created.game, len(created.seats), speed_of(created.clock))


class RatingKeeper:
    """Everyone's ratings."""

    def __init__(self, store: RatingStore, now_ms: NowMs) -> None:
        self._store = store
        self._now_ms = now_ms
        self._known: dict[tuple[IdentityId, RatingKind], Rating] = {}
        self._turn = asyncio.Lock()

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        for stored in await self._store.all():
            self._known[stored.identity, stored.kind] = stored.rating

    async def reread(self, identities: Sequence[IdentityId]) -> None:
        """Read some players' ratings again, which another than this has changed. Raises: StorageError."""
        async with self._turn:
            for identity in identities:
                for stored in await self._store.profile(identity):
                    self._known[stored.identity, stored.kind] = stored.rating

    def find(self, identity: IdentityId, kind: RatingKind) -> Rating:
        """Return somebody's rating in matches of a kind."""
        return self._known.get((identity, kind)) or _start_of(identity)

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return somebody's rating in matches of a kind, as people see it."""
        return self.find(identity, RatingKind(game, seats, speed)).points

    def with_ratings(self, created: Created, events: Sequence[Event]) -> list[Event]:
        """Return events of a match in which those who take seats bring their ratings along."""
        if not any(isinstance(event, Seated) for event in events):
            return list(events)
        kind = kind_of(created)
        return [
            replace(event, rating=self._seat_rating(event.player, kind)) if isinstance(event, Seated) else event
            for event in events
        ]

    async def settle(self, match: Match, append: Append) -> bool:
        """Settle what a match that is over does to the ratings; return whether that is stored now.

        Raises: StorageError, and what `append` raises.
        """
        async with self._turn:
            reason = await self._why_unrated(match)
            if reason is not None:
                return await append(Rated((None,) * len(match.players), reason, WORDS[reason]), None)
            updates = await self._updates(match)
            changes: list[RatingChange | None] = [None] * len(match.players)
            for each in updates.updates:
                changes[each.seat] = _change(each)
            is_stored = await append(Rated(tuple(changes)), updates)
            if is_stored:
                self._known |= {(each.identity, updates.kind): each.after for each in updates.updates}
            return is_stored

    async def _why_unrated(self, match: Match) -> Unrated | None:
        reason = why_unrated(match, {})
        if reason is not None:
            return reason
        since_ms = self._now_ms() - DAY_MS
        identities = _identities(match)
        meetings = {
            (one, other): await self._store.meetings(identities[one], identities[other], since_ms)
            for one, other in pairs_of(match)
        }
        return why_unrated(match, meetings)

    async def _updates(self, match: Match) -> RatingUpdates:
        assert match.ended is not None
        assert match.ended.ranks is not None
        kind, ranks, identities = kind_of(match.created), match.ended.ranks, _identities(match)
        stored = await self._store.ratings_of(kind, tuple(set(identities)))
        before = [stored.get(identity) or _start_of(identity) for identity in identities]
        after = rate(before, ranks)
        updates = (
            RatingUpdate(seat, identities[seat], ranks[seat], before[seat], after[seat])
            for seat in seats_to_rate(match)
        )
        return RatingUpdates(kind, match.state.ply, tuple(updates))

    def _seat_rating(self, player: Player, kind: RatingKind) -> SeatRating | None:
        if player.level is None and not player.registered:
            return None
        rating = self.find(player.id, kind)
        return SeatRating(rating.points, rating.is_provisional)


def _start_of(identity: IdentityId) -> Rating:
    bot = BUILT_IN_BOTS.get(identity)
    return Rating() if bot is None or bot.level is None else rating_of_bot(bot.level)


def _identities(match: Match) -> list[IdentityId]:
    identities = [player.id for player in match.players if player is not None]
    assert len(identities) == len(match.players)
    return identities


def _change(update: RatingUpdate) -> RatingChange:
    return RatingChange(update.before.points, update.after.points, update.after.is_provisional)
