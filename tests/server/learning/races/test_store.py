"""Races in every database."""

from itertools import pairwise

from millrace.protocol import IdentityId, Player
from millrace.server.app.stores import Stores
from millrace.server.learning.puzzles.solving import Verdict
from millrace.server.learning.races.race import Race, joined, left, played, started
from millrace.server.learning.races.race_store import KEPT_MS
from tests.server.players.profiles.stored_accounts import make_account

NOW_MS = 1_764_000_000_000
ANN, BEN = (Player(IdentityId(name), name.title()) for name in ("ann", "ben"))
OPENED = joined(Race("r1", "", ("morris/a", "mingmang/b"), 90_000), ANN, NOW_MS)
BOTH = joined(OPENED, BEN, NOW_MS)
RUNNING = started(BOTH, NOW_MS)


async def store(stores: Stores, *steps: Race) -> None:
    assert await stores.races.open(steps[0], NOW_MS)
    for before, after in pairwise(steps):
        assert await stores.races.put(before, after)


async def test_a_race_is_stored_as_it_changes(stores: Stores) -> None:
    races = stores.races
    assert await races.find("r1") is None
    played_on = played(RUNNING, 1, Verdict(True, True))
    steps = (OPENED, BOTH, RUNNING, played_on, played_on._replace(next="r2"))
    await store(stores, *steps)
    assert await races.find("r1") == steps[-1]
    assert not await races.open(OPENED, NOW_MS)


async def test_of_two_changes_at_once_the_second_is_not_stored(stores: Stores) -> None:
    races = stores.races
    await store(stores, OPENED)
    assert await races.put(OPENED, BOTH)
    assert not await races.put(OPENED, joined(OPENED, Player(IdentityId("eve"), "Eve"), NOW_MS))
    assert await races.put(BOTH, RUNNING)
    for late in (left(BOTH, BEN.id), RUNNING, BOTH._replace(next="r2")):
        assert not await races.put(BOTH, late)
    assert await races.put(RUNNING, played(RUNNING, 1, Verdict(True, True)))
    assert not await races.put(RUNNING, played(RUNNING, 1, Verdict(False)))
    assert await races.put(RUNNING, played(RUNNING, 2, Verdict(False)))


async def test_who_leaves_takes_nobody_else_away(stores: Stores) -> None:
    races = stores.races
    await store(stores, OPENED, BOTH, left(BOTH, BEN.id))
    eve = joined(left(BOTH, BEN.id), Player(IdentityId("eve"), "Eve"), NOW_MS)
    assert await races.put(left(BOTH, BEN.id), eve)
    assert not await races.put(BOTH, left(BOTH, BEN.id))
    assert await races.find("r1") == eve


async def test_the_present_name_of_an_account_is_shown(stores: Stores) -> None:
    name = await make_account(stores, "beatrix")
    await store(stores, OPENED, joined(OPENED, Player(name, "Former", registered=True), NOW_MS))
    found = await stores.races.find("r1")
    assert found is not None
    account = await stores.accounts.find(name)
    assert account is not None
    assert [run.player for run in found.runs.values()] == [ANN, account.player]


async def test_races_are_deleted_after_a_day_and_with_the_account(stores: Stores) -> None:
    races = stores.races
    name = await make_account(stores, "cleo")
    await store(stores, joined(OPENED, Player(name, "cleo", registered=True), NOW_MS))
    await stores.accounts.delete(name, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await races.find("r1") == OPENED
    assert await races.open(OPENED._replace(id="r2"), NOW_MS + KEPT_MS)
    assert await races.find("r1") == OPENED
    assert await races.open(OPENED._replace(id="r3"), NOW_MS + KEPT_MS + 1)
    assert await races.find("r1") is None
    assert (await races.find("r2")) is not None
