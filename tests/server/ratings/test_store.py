"""The contract of the store of ratings, on every supported database."""

from collections.abc import Mapping, Sequence

import pytest

from millrace.protocol import (
    CommandId,
    Created,
    Ended,
    Event,
    IdentityId,
    MatchId,
    ModerationAction,
    Moved,
    Player,
    Rated,
    RatingKind,
    Seated,
    SeatPlan,
    Speed,
    Voided,
)
from millrace.protocol.refusal import Refusal
from millrace.server.app.stores import Stores, moderation_actions
from millrace.server.cluster.bus import LocalBus
from millrace.server.journal.entries import Entry, Origin
from millrace.server.moderation.actions import ActionRequest
from millrace.server.moderation.permissions import CONSOLE
from millrace.server.players.profiles.profile_store import RatedPlayer
from millrace.server.ratings import ratings as ratings_module
from millrace.server.ratings.formula import rate
from millrace.server.ratings.rating import SIGMA, Rating, RatingUpdate, RatingUpdates
from millrace.server.ratings.rating_store import PairResult, StoredRating, rating_insertions
from millrace.server.ratings.ratings import OVERLAP_MS, Ratings
from tests.server.players.profiles.stored_accounts import make_account

ANN, BEN, CEM, DAN = (IdentityId(name) for name in ("ann", "ben", "cem", "dan"))
CERTAIN = Rating(30.0, 2.0, 40)
KIND = RatingKind("morris", 2, Speed.BLITZ)
OTHER_KIND = RatingKind("morris", 2, Speed.RAPID)
RATED = Rated((None, None))


def updates(one: Rating, other: Rating, kind: RatingKind = KIND, second: IdentityId = BEN) -> RatingUpdates:
    """Return what a match changes that Ann has won."""
    after = rate([one, other], (1, 2))
    changed = (RatingUpdate(0, ANN, 1, one, after[0]), RatingUpdate(1, second, 2, other, after[1]))
    return RatingUpdates(kind, 20, changed)


async def play(stores: Stores, name: str, second: IdentityId = BEN, at_ms: int = 1_000) -> MatchId:
    """Store a finished match except for its ratings."""
    match = MatchId(name)
    players = Player(ANN, "Ann", registered=True), Player(second, second.capitalize(), registered=True)
    events: list[Event] = [
        Created("morris", "", (SeatPlan("me"), SeatPlan("open")), None, rated=True),
        *(Seated(seat, player) for seat, player in enumerate(players)),
        Moved(0, "a7", None),
        Ended((1, 2), "resignation", "Black resigned"),
    ]
    entries = [Entry(event, at_ms) for event in events]
    assert await stores.journal.append(match, 0, entries, Origin(name, CommandId("c")))
    return match


async def settle(stores: Stores, match: MatchId, ratings: RatingUpdates, at_ms: int = 2_000, seq: int = 5) -> bool:
    insertions = rating_insertions(match, at_ms, ratings)
    return await stores.journal.append(match, seq, [Entry(RATED, at_ms)], insertions=insertions)


async def test_a_match_counts_once(stores: Stores) -> None:
    match = await play(stores, "m1")
    changed = updates(Rating(), Rating())
    assert await settle(stores, match, changed)
    assert not await settle(stores, match, changed)
    assert not await settle(stores, match, changed, seq=6)
    assert len(await stores.journal.load(match)) == 6
    assert (await stores.ratings.ratings_of(KIND, [ANN]))[ANN].matches == 1


async def test_of_two_matches_computed_from_the_same_rating_only_one_is_stored(stores: Stores) -> None:
    first, second = await play(stores, "m1"), await play(stores, "m2", CEM)
    changed, stale = updates(Rating(), Rating()), updates(Rating(), Rating(), second=CEM)
    assert await settle(stores, first, changed)
    assert not await settle(stores, second, stale)
    assert len(await stores.journal.load(second)) == 5
    assert await stores.ratings.ratings_of(KIND, [CEM]) == {}
    fresh = updates(changed.updates[0].after, Rating(), second=CEM)
    assert await settle(stores, second, fresh)
    assert (await stores.ratings.ratings_of(KIND, [ANN]))[ANN] == fresh.updates[0].after


async def test_earlier_encounters_are_found_from_both_sides(stores: Stores) -> None:
    rating, other = Rating(), Rating()
    for number, at_ms in enumerate((1_000, 2_000, 3_000)):
        changed = updates(rating, other)
        assert await settle(stores, await play(stores, f"m{number}"), changed, at_ms)
        rating, other = (each.after for each in changed.updates)
    assert await stores.ratings.encounters(ANN, BEN, 2_000) == [PairResult(20, 2, (1, 2))] * 2
    assert await stores.ratings.encounters(BEN, ANN, 3_000) == [PairResult(20, 2, (2, 1))]
    assert await stores.ratings.encounters(ANN, CEM, 0) == []


async def test_the_history_has_the_latest_changes_oldest_first(stores: Stores) -> None:
    rating, rows = Rating(), []
    for number in range(3):
        changed = updates(rating, Rating(), second=IdentityId(f"other{number}"))
        match = await play(stores, f"m{number}", IdentityId(f"other{number}"))
        assert await settle(stores, match, changed, 1_000 + number)
        rating = changed.updates[0].after
        rows.append((match, KIND, 1_000 + number, Rating(rating.mu, rating.sigma)))
    for most in (10, 2):
        history = await stores.ratings.history(ANN, most)
        assert [(each.match, each.kind, each.at_ms, each.after) for each in history] == rows[-most:]
    assert [each.rating for each in await stores.ratings.profile(ANN)] == [rating]


async def create_accounts(stores: Stores, *identities: IdentityId) -> None:
    for identity in identities:
        await make_account(stores, identity.capitalize())


async def store_ratings(stores: Stores, ratings: Mapping[IdentityId, Rating]) -> None:
    """Store a match after which players have these ratings."""
    put = [
        RatingUpdate(seat, identity, seat + 1, after._replace(matches=after.matches - 1), after)
        for seat, (identity, after) in enumerate(ratings.items())
    ]
    assert await settle(stores, await play(stores, "m1"), RatingUpdates(KIND, 20, tuple(put)))


async def leaders(
    stores: Stores, kind: RatingKind, most_sigma: float, least_matches: int, *, bots: bool = False
) -> Sequence[RatedPlayer]:
    """Return the first ten of the people, or of the bots, who are certain enough."""
    return await stores.profiles.leaders(kind, bots=bots, most_sigma=most_sigma, least_matches=least_matches, most=10)


async def test_only_certain_players_with_an_account_are_leaders(stores: Stores) -> None:
    await create_accounts(stores, ANN, CEM, DAN)
    nobody, uncertain, after_few = Rating(35.0, 2.0, 41), Rating(40.0, SIGMA, 41), Rating(45.0, 2.0, 2)
    await store_ratings(stores, {ANN: CERTAIN, BEN: nobody, CEM: uncertain, DAN: after_few})
    found = await leaders(stores, KIND, 4.0, 20)
    assert [(each.player.name, each.rating) for each in found] == [("Ann", CERTAIN)]
    assert [each.player.name for each in await leaders(stores, KIND, SIGMA, 1)] == ["Dan", "Cem", "Ann"]
    assert await leaders(stores, OTHER_KIND, SIGMA, 1) == []


async def test_bots_and_people_have_separate_leaders(stores: Stores) -> None:
    await create_accounts(stores, ANN, BEN)
    assert await stores.accounts.become_bot(BEN)
    await store_ratings(stores, {ANN: CERTAIN, BEN: CERTAIN})
    (person,) = await leaders(stores, KIND, 4.0, 20)
    (bot,) = await leaders(stores, KIND, 4.0, 20, bots=True)
    assert (person.player.name, person.player.bot) == ("Ann", False)
    assert (bot.player.name, bot.player.bot) == ("Ben", True)


async def test_the_ratings_of_a_deleted_account_belong_to_no_player(stores: Stores) -> None:
    await create_accounts(stores, ANN)
    changed = updates(Rating(), Rating())
    assert await settle(stores, await play(stores, "m1"), changed)
    nobody = Player(IdentityId("deleted-1"), "Deleted player")
    await stores.accounts.delete(ANN, nobody, IdentityId("scrubbed-1"), 3_000)
    assert list(await stores.ratings.profile(ANN)) == [] == list(await stores.ratings.history(ANN, 9))
    assert len(await stores.ratings.history(BEN, 9)) == 1
    assert len(await stores.ratings.history(nobody.id, 9)) == 1
    assert list(await stores.ratings.profile(nobody.id)) == []
    assert await stores.ratings.ratings_of(KIND, [ANN, BEN]) == {BEN: changed.updates[1].after}


async def test_voiding_a_match_reverts_its_change(stores: Stores) -> None:
    first, second = await play(stores, "m1"), await play(stores, "m2", CEM)
    one = updates(Rating(), Rating())
    later = updates(one.updates[0].after, Rating(), second=CEM)
    assert await settle(stores, first, one, 2_000)
    assert await settle(stores, second, later, 3_000)
    moderation = moderation_actions(stores, lambda: 9_000)
    request = ActionRequest(ModerationAction.VOID, "Arranged", CommandId("v"), match=first)
    for _ in range(2):
        await moderation.perform(CONSOLE, request)
    found = await stores.ratings.ratings_of(KIND, [ANN, BEN, CEM])
    gained = one.updates[0].after.mu - Rating().mu
    assert found[ANN].mu == pytest.approx(later.updates[0].after.mu - gained)
    assert later.updates[0].after.sigma < found[ANN].sigma < SIGMA
    assert (found[ANN].matches, found[BEN], found[CEM]) == (1, Rating(), later.updates[1].after)
    (point,) = await stores.ratings.history(ANN, 9)
    assert point.match == second
    assert point.after.mu == pytest.approx(found[ANN].mu)
    assert await stores.ratings.encounters(ANN, BEN, 0) == []
    assert isinstance((await stores.journal.load(first))[-1].entry.event, Voided)
    with pytest.raises(Refusal, match="voided already"):
        await moderation.perform(CONSOLE, request._replace(command_id=CommandId("w")))


async def test_a_banned_account_is_not_among_the_leaders(stores: Stores) -> None:
    await create_accounts(stores, ANN, BEN)
    await store_ratings(stores, {ANN: CERTAIN, BEN: CERTAIN})
    close = ActionRequest(ModerationAction.BAN, "Cheating", CommandId("c"), BEN)
    await moderation_actions(stores, lambda: 9_000).perform(CONSOLE, close)
    assert [each.player.name for each in await leaders(stores, KIND, 4.0, 20)] == ["Ann"]


async def test_ratings_are_read_in_pages_and_later_only_new_ones(
    stores: Stores, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ratings_module, "PAGE_RATINGS", 2)
    await settle(stores, await play(stores, "m1"), updates(Rating(), Rating()))
    await settle(stores, await play(stores, "m2", CEM), updates(Rating(), Rating(), OTHER_KIND, CEM))
    now_ms = [5_000 + OVERLAP_MS]
    read: list[list[IdentityId]] = []
    ratings = Ratings(stores.ratings, LocalBus(), lambda: now_ms[0])
    stored_since = stores.ratings.stored_since

    async def note(since_ms: int, after: StoredRating | None, most: int) -> Sequence[StoredRating]:
        page = await stored_since(since_ms, after, most)
        read.append([stored.identity for stored in page])
        return page

    monkeypatch.setattr(stores.ratings, "stored_since", note)
    await ratings.load()
    assert read == [[ANN, ANN], [BEN, CEM], []]
    for identity, kind in ((ANN, KIND), (ANN, OTHER_KIND), (BEN, KIND), (CEM, OTHER_KIND)):
        assert ratings.find(identity, kind).matches == 1
    read.clear()
    known = ratings.find(ANN, KIND)
    await settle(stores, await play(stores, "m3"), updates(known, ratings.find(BEN, KIND)), at_ms=6_000)
    await ratings.load()
    assert read == [[ANN, BEN], []]
    assert ratings.find(ANN, KIND).matches == 2
    assert ratings.find(CEM, OTHER_KIND).matches == 1
