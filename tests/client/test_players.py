"""Players, notifications and reports through the client library, on a real server."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from millrace.client import ME, OPEN, Connection, connect
from millrace.protocol import Code, IdentityId, NotificationKind, RatingKind, Speed
from tests.client.connecting import first_where, new_accounts, refusal_of
from tests.serving import PATIENCE_S, Site


@pytest.fixture(scope="module")
def own_tokens(server: Site) -> tuple[str, str]:
    """Two accounts whose inboxes no other test fills."""
    return new_accounts(server)


@pytest.fixture
async def pair(server: Site, own_tokens: tuple[str, str]) -> AsyncIterator[tuple[Connection, Connection]]:
    ann, ben = own_tokens
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address, token=ann) as first,
        connect(server.address, token=ben) as second,
    ):
        yield first, second


async def test_followed_players_are_listed_until_they_are_unfollowed(pair: tuple[Connection, Connection]) -> None:
    ann, ben = pair
    await ann.players.follow(ben.player.id)
    assert (await ann.players.profile(ben.player.name)).followed
    followed = ann.players.followed()
    # Another node may not have heard yet that Ben is online.
    statuses = await first_where(followed, lambda statuses: any(status.online for status in statuses))
    assert [status.player for status in statuses] == [ben.player]
    await ann.players.follow(ben.player.id, on=False)
    assert not (await ann.players.profile(ben.player.name)).followed


async def test_online_players_are_listed(pair: tuple[Connection, Connection]) -> None:
    ann, ben = pair
    online = await first_where(
        ann.players.online(), lambda online: ben.player in [status.player for status in online.players]
    )
    assert online.count >= 2


async def test_a_profile_is_found_by_name_and_shown(
    pair: tuple[Connection, Connection],
) -> None:
    ann, ben = pair
    await ann.players.set_profile("I like mills.", "CH")
    about = await ben.players.profile(ann.player.name)
    assert (about.bio, about.status.country) == ("I like mills.", "CH")
    assert ann.player in [status.player for status in await ben.players.find(ann.player.name)]
    await ann.players.set_online_visibility(False)
    assert not (await ann.players.preferences()).online_visible
    assert not (await ben.players.profile(ann.player.name)).status.online


async def test_ratings_and_leaders_are_returned(pair: tuple[Connection, Connection]) -> None:
    ann, ben = pair
    assert (await ann.players.ratings(ben.player.name)).player == ben.player
    kind = RatingKind("morris", 2, Speed.BLITZ)
    assert (await ann.players.leaders(kind)).kind == kind
    assert await refusal_of(ann.players.ratings("Nobody-At-All")) is Code.UNKNOWN_PLAYER


async def known_everywhere(server: Site, token: str, player: IdentityId, *, is_blocked: bool) -> None:
    """Return when every node has heard that a player is blocked, or no longer so."""
    for _ in range(2):
        async with connect(server.address, token=token) as elsewhere:
            while (player in await elsewhere.players.blocked()) is not is_blocked:
                pass


async def test_a_blocked_player_cannot_join(
    server: Site, own_tokens: tuple[str, str], pair: tuple[Connection, Connection]
) -> None:
    ann, ben = pair
    match = (await ann.create("morris", [ME, OPEN])).match
    assert await ann.players.block(ben.player.id) == (ben.player.id,) == await ann.players.blocked()
    await known_everywhere(server, own_tokens[0], ben.player.id, is_blocked=True)
    assert await refusal_of(ben.join(match)) is Code.NOT_FOR_YOU
    assert await ann.players.unblock(ben.player.id) == ()
    await known_everywhere(server, own_tokens[0], ben.player.id, is_blocked=False)
    await ben.join(match)


async def test_a_challenge_stays_in_the_inbox_until_it_is_answered(pair: tuple[Connection, Connection]) -> None:
    ann, ben = pair
    match = (await ben.challenge(ann.player.name, "morris")).match
    notifications = await first_where(ann.notifications.follow(), lambda notifications: notifications)
    assert [(notification.kind, notification.match, notification.player) for notification in notifications] == [
        (NotificationKind.CHALLENGED, match, ben.player)
    ]
    await ann.decline(match)
    notifications = await first_where(ann.notifications.follow(), lambda notifications: not notifications)


async def test_a_new_notification_comes_first_in_the_inbox(
    pair: tuple[Connection, Connection],
) -> None:
    ann, ben = pair
    lists = ann.notifications.follow()
    assert await anext(lists) == ()
    first = (await ben.challenge(ann.player.name, "morris")).match
    second = (await ben.challenge(ann.player.name, "mingmang")).match
    notifications = await first_where(lists, lambda notifications: len(notifications) == 2)
    assert [notification.match for notification in notifications] == [second, first]
    await ann.notifications.mark_read(first)
    notifications = await first_where(
        lists, lambda notifications: any(notification.read for notification in notifications)
    )
    assert {notification.match: notification.read for notification in notifications} == {first: True, second: False}
    for match in (first, second):
        await ann.decline(match)


async def test_notification_kinds_are_chosen(pair: tuple[Connection, Connection]) -> None:
    ann, _ = pair
    await ann.notifications.set_kinds([NotificationKind.CHALLENGED])
    assert await ann.notifications.kinds() == (NotificationKind.CHALLENGED,)


async def test_a_player_is_reported_and_a_report_about_nobody_is_refused(pair: tuple[Connection, Connection]) -> None:
    ann, ben = pair
    match = (await ann.create("morris", [ME, OPEN])).match
    await ben.join(match)
    await ann.moderation.report(match, "cheating", player=ben.player.id, note="Every move is the best.")
    assert await refusal_of(ann.moderation.report(match, "insult", line=7)) is Code.UNKNOWN_LINE
    assert await refusal_of(ann.moderation.report(None, "insult", study="nothing")) is Code.UNKNOWN_STUDY
