"""Settlement: the effect of a finished match on the ratings, or why it does not count.

The room stores it together with the match's event.
"""

from dataclasses import dataclass

from millrace.protocol import Created, IdentityId, Rated, RatingChange, RatingKind, Unrated

from ..matches.built_in_bots import BUILT_IN_BOTS
from ..matches.match import Match
from ..matches.speed import speed_of
from .eligibility import DAY_MS, EXPLANATIONS, pairs_of, seats_to_rate, why_unrated
from .formula import rate, rating_of_bot
from .rating import Rating, RatingUpdate, RatingUpdates
from .rating_store import RatingStore


@dataclass(slots=True)
class Settlement:
    """The effect of a match on the ratings."""

    rated: Rated
    """The event, to be stored with the updates."""
    updates: RatingUpdates | None
    """None if the match does not count."""
    is_stored: bool = False
    """Whether both have been stored."""


async def settle(match: Match, store: RatingStore, now_ms: int) -> Settlement:
    """Return the effect of a finished match on the stored ratings. Raises: StorageError."""
    reason = await _why_unrated(match, store, now_ms)
    if reason is not None:
        return Settlement(Rated((None,) * len(match.players), reason, EXPLANATIONS[reason]), None)
    updates = await _updates(match, store)
    changes: list[RatingChange | None] = [None] * len(match.players)
    for each in updates.updates:
        changes[each.seat] = RatingChange(each.before.points, each.after.points, each.after.is_provisional)
    return Settlement(Rated(tuple(changes)), updates)


def kind_of(created: Created) -> RatingKind:
    """Return the kind of ratings of a match."""
    return RatingKind(created.game, len(created.seats), speed_of(created.clock))


def first_rating(identity: IdentityId) -> Rating:
    """Return the rating of a player, or of a built-in bot, without a rated match."""
    bot = BUILT_IN_BOTS.get(identity)
    return Rating() if bot is None or bot.level is None else rating_of_bot(bot.level)


async def _why_unrated(match: Match, store: RatingStore, now_ms: int) -> Unrated | None:
    reason = why_unrated(match, {})
    if reason is not None:
        return reason
    identities = _identities(match)
    encounters = {
        (one, other): await store.encounters(identities[one], identities[other], now_ms - DAY_MS)
        for one, other in pairs_of(match)
    }
    return why_unrated(match, encounters)


async def _updates(match: Match, store: RatingStore) -> RatingUpdates:
    assert match.ended is not None
    assert match.ended.ranks is not None
    kind, ranks, identities = kind_of(match.created), match.ended.ranks, _identities(match)
    stored = await store.ratings_of(kind, tuple(set(identities)))
    before = [stored.get(identity) or first_rating(identity) for identity in identities]
    after = rate(before, ranks)
    updates = (
        RatingUpdate(seat, identities[seat], ranks[seat], before[seat], after[seat]) for seat in seats_to_rate(match)
    )
    return RatingUpdates(kind, match.state.ply, tuple(updates))


def _identities(match: Match) -> list[IdentityId]:
    return [match.holder_of(seat) for seat in range(len(match.players))]
