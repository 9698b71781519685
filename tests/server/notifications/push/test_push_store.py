"""Stored push subscriptions, in both databases."""

from millrace.protocol import IdentityId
from millrace.server.app.stores import Stores
from millrace.server.callers.presence import Credential
from millrace.server.notifications.push.push_store import MOST_ENDED, PushStore, PushSubscription

ANN, BEN = IdentityId("ann"), IdentityId("ben")
MOST = 3
LOGGED_OUT = Credential("a session that has ended")


async def subscribe(
    store: PushStore, name: str, at_ms: int, identity: IdentityId = ANN, credential: Credential | None = None
) -> bool:
    return await store.subscribe(PushSubscription(name, identity, credential, "key", "secret", at_ms), MOST)


async def lasting(store: PushStore) -> list[str]:
    return [each.endpoint for each in await store.subscriptions_of(ANN, 0)]


async def test_the_newest_subscriptions_are_kept(stores: Stores) -> None:
    for number in range(5):
        assert await subscribe(stores.push, f"{number}", number)
    assert await lasting(stores.push) == ["2", "3", "4"]


async def test_ended_subscriptions_displace_no_lasting_one_and_are_remembered(stores: Stores) -> None:
    assert await subscribe(stores.push, "lasting", 0)
    count = MOST_ENDED + 5
    for number in range(1, count + 1):
        assert await subscribe(stores.push, f"{number}", number)
        await stores.push.end(f"{number}", number)
    assert await lasting(stores.push) == ["lasting"]
    for number in (6, 7, count):
        assert not await subscribe(stores.push, f"{number}", count + 1)
    assert await subscribe(stores.push, "1", count + 1), "the oldest is forgotten"


async def test_subscriptions_of_ended_sessions_displace_no_lasting_one(stores: Stores) -> None:
    assert await subscribe(stores.push, "lasting", 0)
    for number in range(1, 6):
        assert await subscribe(stores.push, f"{number}", number, credential=LOGGED_OUT)
    assert await lasting(stores.push) == ["lasting"]


async def test_a_browser_that_changes_its_player_is_kept_however_long_it_has_been_subscribed(stores: Stores) -> None:
    assert await subscribe(stores.push, "old", 0, BEN)
    for number in range(1, 4):
        assert await subscribe(stores.push, f"{number}", number)
    assert await subscribe(stores.push, "old", 5)
    assert await lasting(stores.push) == ["old", "2", "3"]
