"""Storms in every database."""

from millrace.protocol import IdentityId, Player
from millrace.server.app.stores import Stores
from millrace.server.learning.storms.storm import Storm
from millrace.server.learning.storms.storm_store import StoredStorm
from tests.server.players.profiles.stored_accounts import make_account

ANN = IdentityId("ann")
STORM = Storm(1_764_000_180_000, 3, "a b c d", 2, 2, 5, 9, 7, 20_416)


async def test_a_storm_is_stored_unless_it_has_changed_meanwhile(stores: Stores) -> None:
    storms = stores.storms
    assert await storms.find(ANN, "morris") == StoredStorm()
    assert await storms.put(ANN, "morris", StoredStorm(), STORM)
    assert await storms.find(ANN, "morris") == StoredStorm(STORM, 1)
    assert await storms.find(ANN, "mingmang") == StoredStorm()
    assert not await storms.put(ANN, "morris", StoredStorm(), Storm())
    assert await storms.put(ANN, "morris", StoredStorm(STORM, 1), STORM._replace(score=3))
    assert (await storms.find(ANN, "morris")).storm.score == 3


async def test_a_deleted_account_leaves_no_storm(stores: Stores) -> None:
    ann = await make_account(stores, "ann")
    assert await stores.storms.put(ann, "morris", StoredStorm(), STORM)
    await stores.accounts.delete(ann, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await stores.storms.find(ann, "morris") == StoredStorm()
