"""Stored notifications, in both databases."""

from collections.abc import Sequence
from typing import Any

from millrace.protocol import IdentityId, MatchId, Notification, NotificationKind, Player
from millrace.server.app.stores import Stores
from millrace.server.callers.presence import Presence
from millrace.server.cluster.bus import LocalBus
from millrace.server.notifications.inbox import Inbox
from millrace.server.notifications.match_notifications import AddNotification
from millrace.server.notifications.preferences import DEFAULT_KINDS, NotificationPreferences

ANN, BEN = IdentityId("ann"), IdentityId("ben")
CEM = Player(IdentityId("cem"), "Cemal", registered=True)
TURN, ENDED = NotificationKind.YOUR_TURN, NotificationKind.MATCH_ENDED


def notification(
    kind: NotificationKind, match: str, at_ms: int, player: Player | None = CEM, explanation: str = ""
) -> Notification:
    return Notification(kind, match, at_ms, MatchId(match), "morris", player, explanation)


def add(recipient: IdentityId, *fields: Any) -> AddNotification:
    return AddNotification(recipient, notification(*fields))


def facts(notifications: Sequence[Notification]) -> list[tuple[NotificationKind, str, int, bool]]:
    return [(each.kind, each.subject, each.at_ms, each.read) for each in notifications]


async def test_a_notification_replaces_an_earlier_one_of_the_same_kind_and_subject(stores: Stores) -> None:
    store = stores.notifications
    first = notification(TURN, "m1", 10)
    await store.add(
        [AddNotification(ANN, first), add(ANN, ENDED, "m1", 11, None, "Black wins."), AddNotification(BEN, first)]
    )
    await store.mark_read(ANN, "m1")
    await store.add([AddNotification(ANN, first)])
    assert facts(await store.latest(ANN, 9)) == [(ENDED, "m1", 11, True), (TURN, "m1", 10, True)]
    assert (await store.latest(BEN, 9))[0] == first
    await store.add([add(ANN, TURN, "m1", 12)])
    assert facts(await store.latest(ANN, 9)) == [(TURN, "m1", 12, False), (ENDED, "m1", 11, True)]
    assert (await store.latest(ANN, 9))[1].explanation == "Black wins."


async def test_the_newest_notifications_are_kept_and_old_ones_are_deleted(stores: Stores) -> None:
    store = stores.notifications
    await store.add([*(add(ANN, TURN, f"m{number}", number) for number in range(6)), add(BEN, TURN, "m0", 0)])
    await store.trim({(ANN, TURN), (BEN, TURN)}, 4)
    assert [each.at_ms for each in await store.latest(ANN, 9)] == [5, 4, 3, 2]
    await store.delete_before(4)
    assert [each.at_ms for each in await store.latest(ANN, 9)] == [5, 4]
    assert await store.latest(BEN, 9) == []


async def test_queued_notifications_of_a_deleted_player_are_not_stored(stores: Stores) -> None:
    bus = LocalBus()
    preferences = NotificationPreferences(stores.notifications, bus)
    inbox = Inbox(stores.notifications, preferences, Presence(bus), bus, lambda: 9)
    inbox.add([add(CEM.id, TURN, "m1", 1), add(ANN, TURN, "m2", 2)])
    inbox.forget(CEM.id)
    await inbox.flush()
    assert [await stores.notifications.latest(who, 9) for who in (ANN, CEM.id)] == [[], []]


async def test_only_kinds_that_differ_from_the_default_are_stored(stores: Stores) -> None:
    preferences = NotificationPreferences(stores.notifications, LocalBus())
    await preferences.choose(ANN, (DEFAULT_KINDS - {TURN}) | {NotificationKind.FOLLOWED_ONLINE})
    await preferences.choose(BEN, [])
    await preferences.choose(BEN, DEFAULT_KINDS)
    assert [identity for identity, _ in await stores.notifications.toggles()] == [ANN]
    again = NotificationPreferences(stores.notifications, LocalBus())
    await again.load()
    assert again.kinds_for(ANN) == (DEFAULT_KINDS - {TURN}) | {NotificationKind.FOLLOWED_ONLINE}
    assert again.kinds_for(BEN) == DEFAULT_KINDS
