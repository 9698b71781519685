"""Notices in both databases."""

from collections.abc import Sequence

from millrace.server.bus.bus import LocalBus
from millrace.server.identity.presence import Presence
from millrace.server.notifications.inbox import Inbox
from millrace.server.notifications.preferences import USUAL, NotificationPreferences
from millrace.server.notifications.store import AddNotification, WithdrawNotification
from millrace.server.protocol import IdentityId, MatchId, Notification, NotificationKind, Player
from millrace.server.storage.stores import Stores

ANN, BEN = IdentityId("ann"), IdentityId("ben")
CEM = Player(IdentityId("cem"), "Cemal", registered=True)
TURN, ENDED = NotificationKind.YOUR_TURN, NotificationKind.MATCH_ENDED


def notification(
    kind: NotificationKind, match: str, at_ms: int, player: Player | None = CEM, words: str = ""
) -> Notification:
    return Notification(kind, match, at_ms, MatchId(match), "morris", player, words)


def about(notices: Sequence[Notification]) -> list[tuple[NotificationKind, str, int, bool]]:
    return [(each.kind, each.subject, each.at_ms, each.read) for each in notices]


async def test_a_notice_takes_the_place_of_an_earlier_one_about_the_same(stores: Stores) -> None:
    store = stores.notifications
    first = notification(TURN, "m1", 10)
    await store.change(
        [
            AddNotification(ANN, first),
            AddNotification(ANN, notification(ENDED, "m1", 11, None, "Black wins.")),
            AddNotification(BEN, first),
        ],
        9,
    )
    await store.read(ANN, "m1")
    await store.change([AddNotification(ANN, first)], 9)
    assert about(await store.latest(ANN, 9)) == [(ENDED, "m1", 11, True), (TURN, "m1", 10, True)]
    assert (await store.latest(BEN, 9))[0] == first
    await store.change([AddNotification(ANN, notification(TURN, "m1", 12))], 9)
    assert about(await store.latest(ANN, 9)) == [(TURN, "m1", 12, False), (ENDED, "m1", 11, True)]
    await store.change([WithdrawNotification(ANN, TURN, "m1"), WithdrawNotification(ANN, TURN, "m2")], 9)
    (left,) = await store.latest(ANN, 9)
    assert (left.player, left.explanation) == (None, "Black wins.")


async def test_of_somebodys_notices_the_latest_are_kept_and_old_ones_are_forgotten(stores: Stores) -> None:
    store = stores.notifications
    await store.change([AddNotification(ANN, notification(TURN, f"m{number}", number)) for number in range(6)], 4)
    await store.change([AddNotification(BEN, notification(TURN, "m0", 0))], 4)
    assert [each.at_ms for each in await store.latest(ANN, 9)] == [5, 4, 3, 2]
    await store.sweep(4)
    assert [each.at_ms for each in await store.latest(ANN, 9)] == [5, 4]
    assert await store.latest(BEN, 9) == []


async def test_all_or_those_about_one_match_are_read(stores: Stores) -> None:
    store = stores.notifications
    await store.change(
        [AddNotification(ANN, notification(TURN, "m1", 1)), AddNotification(ANN, notification(TURN, "m2", 2))], 9
    )
    await store.read(ANN, "m1")
    assert [each.read for each in await store.latest(ANN, 9)] == [False, True]
    await store.read(ANN, None)
    assert [each.read for each in await store.latest(ANN, 9)] == [True, True]


async def test_of_somebody_who_is_gone_no_notice_is_left_nor_about_them(stores: Stores) -> None:
    store = stores.notifications
    await store.change(
        [AddNotification(CEM.id, notification(TURN, "m1", 1)), AddNotification(ANN, notification(TURN, "m2", 2))], 9
    )
    await store.change([AddNotification(ANN, notification(TURN, "m3", 3, None))], 9)
    await store.forget(CEM.id)
    assert await store.latest(CEM.id, 9) == []
    assert about(await store.latest(ANN, 9)) == [(TURN, "m3", 3, False)]


async def test_of_somebody_who_is_gone_nothing_is_stored_that_was_still_to_be(stores: Stores) -> None:
    inbox = Inbox(stores.notifications, NotificationPreferences(stores.notifications), Presence(LocalBus()), lambda: 9)
    inbox.note(
        [AddNotification(CEM.id, notification(TURN, "m1", 1)), AddNotification(ANN, notification(TURN, "m2", 2))]
    )
    await inbox.forget(CEM.id)
    await inbox.settle()
    assert [await stores.notifications.latest(who, 9) for who in (ANN, CEM.id)] == [[], []]


async def test_the_kinds_that_somebody_wants_are_stored_as_far_as_they_are_not_usual(stores: Stores) -> None:
    preferences = NotificationPreferences(stores.notifications)
    await preferences.choose(ANN, (USUAL - {TURN}) | {NotificationKind.FOLLOWED_ONLINE})
    await preferences.choose(BEN, [])
    await preferences.choose(BEN, USUAL)
    assert [identity for identity, _ in await stores.notifications.toggles()] == [ANN]
    again = NotificationPreferences(stores.notifications)
    await again.load()
    assert again.by(ANN) == (USUAL - {TURN}) | {NotificationKind.FOLLOWED_ONLINE}
    assert again.by(BEN) == USUAL
