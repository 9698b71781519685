"""Notifications over real sockets: sent, stored, marked read, withdrawn, and unwanted."""

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from millrace.server.storage.errors import StorageError
from tests.crash.facts import fetch
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.players.accounts.registered_players import PASSWORD, follow, register_all
from tests.server.starting import start_server
from tests.server.web.two_players import DAYS, ME, begin_unwatched, challenge, create


async def notified(visitor: Visitor, kind: str) -> Frame:
    """Return the next new notification of a kind."""
    while True:
        notification: Frame = (await visitor.hear_until("notification_added"))["notification"]
        if notification["kind"] == kind:
            return notification


async def inbox(visitor: Visitor) -> list[tuple[str, bool]]:
    """Return the kind of each notification in the inbox, and whether it was read."""
    await visitor.say("watch_notifications")
    frame = await visitor.hear_until("notifications")
    return [(notification["kind"], notification["read"]) for notification in frame["notifications"]]


async def inbox_becomes(visitor: Visitor, *kinds: str) -> None:
    """Wait until the inbox holds exactly these kinds."""
    while True:
        frame = await visitor.hear_until("notifications")
        if sorted(notification["kind"] for notification in frame["notifications"]) == sorted(kinds):
            return


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def test_a_challenge_stays_in_the_inbox_until_it_is_answered(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    await ann.say("watch_notifications")
    match = await challenge(ann, ben)
    notification = await notified(ben, "challenged")
    assert (notification["match"], notification["player"]["name"], notification["game"]) == (match, "Annabel", "morris")
    await ben.ask("join", match=match)
    await inbox_becomes(ben)
    assert (await notified(ann, "challenge_accepted"))["player"]["name"] == "Benjamin"


async def test_consequences_of_an_answer_are_stored_before_the_answer(served: Served, served_url: str) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")

    async def stored() -> list[tuple[str, str]]:
        found = await fetch(served_url, "SELECT kind, identity FROM notifications")
        names = {visitor.player["id"]: visitor.player["name"] for visitor in (ann, ben)}
        return sorted((kind, names[identity]) for kind, identity in found)

    accepted, declined = await challenge(ann, ben), await challenge(ann, ben)
    assert (await stored()) == [("challenged", "Benjamin")] * 2
    await ben.ask("join", match=accepted)
    assert (await stored()) == [("challenge_accepted", "Annabel"), ("challenged", "Benjamin")]
    await ben.ask("decline", match=declined)
    assert (await stored()) == [("challenge_accepted", "Annabel"), ("challenge_declined", "Annabel")]
    await ben.ask("resign", match=accepted, seat=1)
    assert (await stored())[2:] == [("match_ended", "Annabel"), ("match_ended", "Benjamin")]


async def test_notifications_stored_without_a_confirmation_are_sent_once_that_is_known(
    served_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with AsyncExitStack() as stack:
        started = await start_server(served_url)
        stack.push_async_callback(started.close)
        served = Served(started.port, started.bots, stack)
        ann, ben = await register_all(served, "Annabel", "Benjamin")
        await ann.say("watch_notifications")
        match = await challenge(ann, ben)
        journal = started.stores.journal
        append = journal.append

        def append_and_fail(*arguments: Any, **named: Any) -> "asyncio.Future[bool]":
            async def fail() -> bool:
                await append(*arguments, **named)
                raise StorageError("the connection broke after the commit")

            return asyncio.ensure_future(fail())

        monkeypatch.setattr(journal, "append", append_and_fail)
        assert (await ben.ask("join", id="join", match=match))["code"] == "unavailable"
        monkeypatch.undo()
        assert (await ben.ask("join", id="join", match=match))["type"] == "accepted"
        assert (await notified(ann, "challenge_accepted"))["match"] == match


async def test_an_offline_challenger_is_notified_that_the_challenge_was_declined(serve: Serve) -> None:
    served = await serve()
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    match = await challenge(ann, ben)
    await notified(ben, "challenged")
    await ann.connection.close()
    await ben.ask("decline", match=match)
    await inbox_becomes(ben)
    again = await serve()
    ann = await again.visitor(ann.token)
    assert await inbox(ann) == [("challenge_declined", False)]


async def test_a_blocked_player_causes_no_notification(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ben.ask("block", player=ann.player["id"])
    await ben.say("watch_notifications")
    await challenge(ann, ben)
    (cem,) = await register_all(served, "Clothilde")
    await challenge(cem, ben)
    assert (await notified(ben, "challenged"))["player"]["name"] == "Clothilde"
    assert await inbox(ben) == [("challenged", False)]


async def test_a_correspondence_turn_stays_in_the_inbox_until_the_ply_is_made(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    for visitor in (ann, ben):
        await visitor.say("watch_notifications")
    match = await begin_unwatched(ann, ben, clock=DAYS)
    assert (await notified(ann, "your_turn"))["match"] == match
    await ann.ask("play", match=match, seat=0, move="d6")
    await inbox_becomes(ann)
    assert (await notified(ben, "your_turn"))["player"]["name"] == ann.player["name"]
    await begin_unwatched(ben, await served.visitor(), clock=DAYS)
    assert (await ben.ask("mark_notifications_read", subject=match))["type"] == "done"
    assert await inbox(ben) == [("your_turn", False), ("your_turn", True)]
    assert (await ben.ask("mark_notifications_read"))["type"] == "done"
    assert await inbox(ben) == [("your_turn", True)] * 2
    await ben.ask("play", match=match, seat=1, move="f4")
    await notified(ann, "your_turn")
    await ben.ask("resign", match=match, seat=1)
    ended = await notified(ann, "match_ended")
    assert (ended["match"], "resign" in ended["explanation"]) == (match, True)


async def test_only_a_player_who_is_not_watching_is_notified_of_the_end_of_a_match(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin_unwatched(ann, ben, clock=DAYS)
    await ann.ask("play", match=match, seat=0, move="d6")
    await ben.ask("play", match=match, seat=1, move="f4")
    await ann.say("watch", match=match)
    await ann.hear_until("audience_update")
    await ann.say("watch_notifications")
    await ben.say("watch_notifications")
    await ann.ask("resign", match=match, seat=0)
    await notified(ben, "match_ended")
    assert "match_ended" not in [kind for kind, _ in await inbox(ann)]
    await ann.ask("rematch", match=match, seat=0)
    assert (await notified(ben, "rematch_offered"))["match"] == match
    await ben.ask("decline_rematch", match=match, seat=1)
    await inbox_becomes(ben, "match_ended")


async def test_only_chosen_kinds_are_sent(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    chosen = ["followed_online", "followed_playing"]
    assert "challenged" in (await ann.ask("get_notification_kinds"))["kinds"]
    assert (await ann.ask("set_notification_kinds", kinds=chosen))["type"] == "done"
    assert (await ann.ask("get_notification_kinds"))["kinds"] == chosen
    await follow(ann, ben)
    await ann.say("watch_notifications")
    await challenge(ben, ann)
    match = await create(ben, ME, ME)
    playing = await notified(ann, "followed_playing")
    assert (playing["match"], playing["subject"]) == (match, ben.player["id"])
    (cem,) = await register_all(served, "Clothilde")
    await follow(ann, cem)
    await cem.connection.close()
    # A player who reconnects soon has not come online again.
    assert [kind for kind, _ in await inbox(ann)] == ["followed_playing"]


async def test_deleting_an_account_withdraws_its_notifications(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    await challenge(ann, ben)
    await notified(ben, "challenged")
    assert (await ann.ask("delete_account", password=PASSWORD))["type"] == "done"
    assert await inbox(ben) == []
