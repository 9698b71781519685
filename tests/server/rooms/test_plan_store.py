"""Stored plans in every database."""

from millrace.protocol import MatchId
from millrace.server.app.stores import Stores
from millrace.server.matches.plans import StoredPlan

MATCH, OTHER = MatchId("m1"), MatchId("m2")
PLAN = StoredPlan(5, 2, (("f4", "a7"), ("f6", "b6", "b2", "g1")))


async def test_a_plan_is_found_again_by_its_match_and_seat(stores: Stores) -> None:
    assert await stores.plans.find(MATCH, 0) is None
    await stores.plans.put(MATCH, 0, PLAN)
    assert await stores.plans.find(MATCH, 0) == PLAN
    assert await stores.plans.find(MATCH, 1) is None
    assert await stores.plans.find(OTHER, 0) is None


async def test_a_new_plan_takes_the_place_of_the_one_before(stores: Stores) -> None:
    await stores.plans.put(MATCH, 0, PLAN)
    later = PLAN._replace(seq=9, lines=(("a1", "d1"),))
    await stores.plans.put(MATCH, 0, later)
    assert await stores.plans.find(MATCH, 0) == later


async def test_one_plan_is_deleted_or_those_of_every_seat(stores: Stores) -> None:
    for match, seat in ((MATCH, 0), (MATCH, 1), (OTHER, 0)):
        await stores.plans.put(match, seat, PLAN)
    await stores.plans.remove(MATCH, 0)
    assert await stores.plans.find(MATCH, 0) is None
    assert await stores.plans.find(MATCH, 1) == PLAN
    await stores.plans.remove(MATCH)
    assert await stores.plans.find(MATCH, 1) is None
    assert await stores.plans.find(OTHER, 0) == PLAN
