"""The pools: joining, leaving, waves, recent opponents, offers; and a state machine that mixes all of it."""

from collections import Counter
from dataclasses import replace
from itertools import combinations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from millrace.protocol import ClockSettings, CommandId, IdentityId, PairingRequest, Player
from millrace.server.lobby.pairing_memory import MEMORY_MS
from millrace.server.lobby.pairing_wave import FEWER_AFTER_WAVES, PATIENCE_PER_WAVE, Seeker
from millrace.server.lobby.pools import MOST_RECENT_PAIRINGS, OFFER_AFTER_WAVES, OFFER_ALONE_AFTER_WAVES, Pools, Search

ANN, BEN, CEM = (IdentityId(name) for name in ("ann", "ben", "cem"))
MORRIS = PairingRequest("morris", 2, ClockSettings(300_000, 3_000))
SHEEP = PairingRequest("battlesheep", 4)
RATED_THREE, RATED_FOUR = (PairingRequest("battlesheep", seats, None, rated=True) for seats in (3, 4))


def search(
    identity: IdentityId, request: PairingRequest = MORRIS, rating: int = 1500, blocked: tuple[IdentityId, ...] = ()
) -> Search:
    return Search(Seeker(identity, rating), Player(identity, identity), request, CommandId("f"), 0, frozenset(blocked))


def pools_of(*searches: Search) -> Pools:
    pools = Pools()
    for each in searches:
        pools.join(each)
    return pools


def wave(
    pools: Pools, request: PairingRequest = MORRIS, absent: frozenset[IdentityId] = frozenset(), now_ms: int = 0
) -> list[set[IdentityId]]:
    """Hold a wave and return the players of each match."""
    pairings = pools.hold_wave(request, absent, pools.members(request), now_ms)
    return [{each.seeker.identity for each in pairing.searches} for pairing in pairings]


def bot_ratings(_: PairingRequest) -> tuple[int, ...]:
    return 800, 1000, 1200, 1400, 1600


def test_joining_the_same_pool_twice_keeps_the_place() -> None:
    pools = pools_of(search(ANN))
    wave(pools)
    pools.join(search(ANN))
    found = pools.find(ANN)
    assert found is not None
    assert found.seeker.missed == 1
    assert pools.waiting(MORRIS) == 1


def test_joining_another_pool_leaves_the_first() -> None:
    pools = pools_of(search(ANN), search(ANN, SHEEP))
    assert (pools.waiting(MORRIS), pools.waiting(SHEEP)) == (0, 1)
    assert pools.requests() == (SHEEP,)


def test_a_player_who_left_is_not_paired() -> None:
    pools = pools_of(search(ANN), search(BEN))
    assert pools.leave(BEN)
    assert not pools.leave(BEN)
    assert wave(pools) == []


def test_an_absent_player_is_not_paired_and_misses_no_wave() -> None:
    pools = pools_of(search(ANN), search(BEN))
    assert wave(pools, absent=frozenset((BEN,))) == []
    found = pools.find(BEN)
    assert found is not None
    assert found.seeker.missed == 0
    assert wave(pools) == [{ANN, BEN}]
    assert pools.searches == ()


def test_only_players_with_equal_requests_are_paired() -> None:
    others = PairingRequest("morris", 2, MORRIS.clock, rated=True), PairingRequest("morris", 2, None)
    pools = pools_of(search(ANN), *(search(who, request) for who, request in zip((BEN, CEM), others, strict=True)))
    assert [wave(pools, request) for request in pools.requests()] == [[], [], []]


@pytest.mark.parametrize("blocker", [ANN, BEN])
def test_a_block_works_both_ways(blocker: IdentityId) -> None:
    pools = Pools()
    for identity, other in ((ANN, BEN), (BEN, ANN)):
        pools.join(search(identity, blocked=(other,) if identity == blocker else ()))
    for _ in range(100):
        assert wave(pools) == []


def test_two_players_are_paired_less_and_less_often_and_then_not_for_an_hour() -> None:
    pools = Pools()
    waits = []
    for _ in range(MOST_RECENT_PAIRINGS):
        pools.join(search(ANN))
        pools.join(search(BEN))
        waits.append(next(waves for waves in range(1, 100) if wave(pools)))
    assert waits == sorted(set(waits))
    pools.join(search(ANN))
    pools.join(search(BEN))
    assert not any(wave(pools) for _ in range(100))
    assert wave(pools, now_ms=MEMORY_MS) == [{ANN, BEN}]


def test_a_new_opponent_is_preferred_to_a_recent_one() -> None:
    pools = pools_of(search(ANN), search(BEN))
    assert wave(pools) == [{ANN, BEN}]
    for identity in (ANN, BEN, CEM):
        pools.join(search(identity))
    assert wave(pools) in ([{ANN, CEM}], [{BEN, CEM}])


def test_a_bot_near_the_rating_is_offered_to_a_player_who_waits_alone() -> None:
    pools = pools_of(search(ANN, rating=1450))
    for _ in range(OFFER_ALONE_AFTER_WAVES):
        assert pools.offered_bot(ANN, bot_ratings) is None
        wave(pools)
    assert pools.offered_bot(ANN, bot_ratings) == 4
    assert pools.offered_bot(BEN, bot_ratings) is None


def test_with_others_in_the_pool_a_bot_is_offered_later() -> None:
    pools = pools_of(search(ANN, blocked=(BEN,)), search(BEN))
    for waves in range(1, OFFER_AFTER_WAVES + 1):
        assert wave(pools) == []
        assert (pools.offered_bot(ANN, bot_ratings) is not None) is (waves == OFFER_AFTER_WAVES)


def test_a_rated_table_is_offered_no_bots() -> None:
    pools = pools_of(search(ANN, RATED_THREE), search(BEN, SHEEP))
    for _ in range(100):
        for request in (RATED_THREE, SHEEP):
            assert wave(pools, request) == []
    assert pools.offered_bot(ANN, bot_ratings) is None
    assert pools.offered_bot(BEN, bot_ratings) is not None


def test_a_rated_table_has_similar_ratings_with_a_gap_that_grows_with_waiting() -> None:
    pools = pools_of(*(search(who, RATED_THREE, rating) for who, rating in ((ANN, 1500), (BEN, 1560), (CEM, 1800))))
    waves = next(number for number in range(1, 100) if wave(pools, RATED_THREE) == [{ANN, BEN, CEM}])
    assert waves == 1 + -(-(1800 - 1500 - 100) // (2 * PATIENCE_PER_WAVE))


def test_a_smaller_table_has_similar_ratings_for_its_number_of_seats() -> None:
    pools = Pools()
    for identity, for_two in ((ANN, 1500), (BEN, 4500)):
        seeker = Seeker(identity, 1500, takes_fewer=True, ratings={2: for_two})
        pools.join(Search(seeker, Player(identity, identity), RATED_FOUR, CommandId("f"), 0))
    assert not any(wave(pools, RATED_FOUR) for _ in range(10 * FEWER_AFTER_WAVES))
    seeker = Seeker(CEM, 1500, takes_fewer=True, missed=2 * FEWER_AFTER_WAVES, ratings={2: 1550, 3: 4000})
    pools.join(Search(seeker, Player(CEM, CEM), RATED_FOUR, CommandId("f"), 0))
    assert wave(pools, RATED_FOUR) == [{ANN, CEM}]


def test_players_whose_match_could_not_be_created_keep_their_place() -> None:
    pools = pools_of(search(ANN))
    wave(pools)
    pools.join(search(BEN))
    (pairing,) = pools.hold_wave(MORRIS, frozenset(), (ANN, BEN), 0)
    pools.join(search(BEN, SHEEP))
    for each in pairing.searches:
        pools.put_back(each)
    found = pools.find(ANN)
    assert found is not None
    assert found.seeker.missed == 1
    assert (pools.waiting(MORRIS), pools.waiting(SHEEP)) == (1, 1)


PLAYERS = [IdentityId(f"p{index}") for index in range(8)]
REQUESTS = [MORRIS, PairingRequest("mingmang"), SHEEP, RATED_THREE, RATED_FOUR]
ratings = st.integers(1300, 1700)
players = st.sampled_from(PLAYERS)


class PoolMachine(RuleBasedStateMachine):
    """In any order of events, no player is paired twice, lost, or paired against a bar, the window or absence."""

    def __init__(self) -> None:
        super().__init__()
        self.pools = Pools()
        self.waiting: dict[IdentityId, PairingRequest] = {}
        self.facts: dict[IdentityId, Seeker] = {}
        self.blocks: set[tuple[IdentityId, IdentityId]] = set()
        self.absent: set[IdentityId] = set()
        self.met: Counter[frozenset[IdentityId]] = Counter()
        self.now_ms = 0

    @rule(
        who=players,
        request=st.sampled_from(REQUESTS),
        rating=ratings,
        for_fewer=st.dictionaries(st.integers(2, 3), ratings),
        takes_fewer=st.booleans(),
    )
    def join(
        self, who: IdentityId, request: PairingRequest, rating: int, for_fewer: dict[int, int], takes_fewer: bool
    ) -> None:
        blocked = frozenset(other for one, other in self.blocks if one == who)
        of_smaller = {seats: each for seats, each in for_fewer.items() if seats < request.seats}
        new = Seeker(who, rating, 0, takes_fewer, of_smaller)
        self.pools.join(Search(new, Player(who, who), request, CommandId("f"), 0, blocked))
        is_new = self.waiting.get(who) != request
        self.facts[who] = new if is_new else replace(self.facts[who], takes_fewer=takes_fewer)
        self.waiting[who] = request

    @rule(who=players)
    def leave(self, who: IdentityId) -> None:
        assert self.pools.leave(who) is (self.waiting.pop(who, None) is not None)

    @rule(who=players, whom=players)
    def block(self, who: IdentityId, whom: IdentityId) -> None:
        self.blocks.add((who, whom))
        if who in self.waiting:
            facts = self.facts[who]
            self.join(who, self.waiting[who], facts.rating, dict(facts.ratings), facts.takes_fewer)

    @rule(who=players)
    def vanish(self, who: IdentityId) -> None:
        self.absent.add(who)

    @rule(who=players)
    def come_back(self, who: IdentityId) -> None:
        self.absent.discard(who)

    @rule()
    def an_hour_passes(self) -> None:
        self.now_ms += MEMORY_MS
        self.met.clear()

    @rule(request=st.sampled_from(REQUESTS), chance=st.randoms(use_true_random=False))
    def hold_wave(self, request: PairingRequest, chance: object) -> None:
        self.now_ms += 1
        order = sorted(self.pools.members(request), key=lambda _: chance.random())  # type: ignore[attr-defined]
        present = [who for who in order if who not in self.absent]
        played: set[IdentityId] = set()
        for pairing in self.pools.hold_wave(request, self.absent, order, self.now_ms):
            group = [each.seeker.identity for each in pairing.searches]
            assert played.isdisjoint(group)
            played.update(group)
            self.check(request, group)
        assert played <= set(present)
        for who in played:
            del self.waiting[who]
        for who in set(present) - played:
            facts = self.facts[who]
            self.facts[who] = replace(facts, missed=facts.missed + 1)
        if request.seats == 2:
            assert not any(self.could_meet_at_once(*pair) for pair in combinations(set(present) - played, 2))

    def check(self, request: PairingRequest, group: list[IdentityId]) -> None:
        seekers = [self.facts[who].for_seats(len(group)) for who in group]
        least_missed = FEWER_AFTER_WAVES * (request.seats - len(group))
        if least_missed:
            assert all(seeker.takes_fewer and seeker.missed >= least_missed for seeker in seekers)
        for one, other in combinations(seekers, 2):
            pair = frozenset((one.identity, other.identity))
            assert (one.identity, other.identity) not in self.blocks
            assert (other.identity, one.identity) not in self.blocks
            allowed = min(one.window, other.window) + one.patience + other.patience
            assert abs(one.rating - other.rating) <= allowed
            assert self.met[pair] < MOST_RECENT_PAIRINGS
            self.met[pair] += 1

    def could_meet_at_once(self, one: IdentityId, other: IdentityId) -> bool:
        is_blocked = (one, other) in self.blocks or (other, one) in self.blocks
        has_met = self.met[frozenset((one, other))] > 0
        return not is_blocked and not has_met and abs(self.facts[one].rating - self.facts[other].rating) <= 100

    @invariant()
    def nobody_is_lost_or_waits_twice(self) -> None:
        waiting = {each.seeker.identity: each for each in self.pools.searches}
        assert len(waiting) == len(self.pools.searches)
        assert {who: each.request for who, each in waiting.items()} == self.waiting
        assert all(each.seeker == self.facts[who] for who, each in waiting.items())

    @invariant()
    def bots_are_offered_only_to_pairs_and_at_casual_tables(self) -> None:
        for search in self.pools.searches:
            is_rated_table = search.request.rated and search.request.seats > 2
            offered = self.pools.offered_bot(search.seeker.identity, bot_ratings)
            assert (offered is not None) is (not is_rated_table and self.has_waited_for_a_bot(search))

    def has_waited_for_a_bot(self, search: Search) -> bool:
        is_alone = sum(request == search.request for request in self.waiting.values()) == 1
        return search.seeker.missed >= (OFFER_ALONE_AFTER_WAVES if is_alone else OFFER_AFTER_WAVES)


TestPools = PoolMachine.TestCase
TestPools.settings = settings(max_examples=60, stateful_step_count=50, deadline=None)
