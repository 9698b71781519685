"""Attempts at mistakes in every database."""

from millrace.protocol import IdentityId, MatchId, Player
from millrace.server.app.stores import Stores
from millrace.server.learning.mistakes.mistakes import Attempt, Place
from tests.server.players.profiles.stored_accounts import make_account

PLACE = Place(MatchId("m1"), 7)


async def test_the_last_attempt_at_a_mistake_is_stored(stores: Stores) -> None:
    ann = IdentityId("ann")
    assert await stores.mistakes.attempts(ann) == {}
    assert await stores.mistakes.put(ann, PLACE, Attempt(False, 5))
    assert await stores.mistakes.put(ann, PLACE, Attempt(True, 9))
    assert await stores.mistakes.attempts(ann) == {PLACE: Attempt(True, 9)}
    assert await stores.mistakes.attempts(IdentityId("ben")) == {}


async def test_a_deleted_account_leaves_no_attempts(stores: Stores) -> None:
    ann = await make_account(stores, "ann")
    assert await stores.mistakes.put(ann, PLACE, Attempt(True, 9))
    await stores.accounts.delete(ann, Player(IdentityId("nobody"), "Deleted player"), IdentityId("scrubbed"), 5)
    assert await stores.mistakes.attempts(ann) == {}
