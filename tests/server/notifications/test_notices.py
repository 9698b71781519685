"""Notices over real sockets: what is told, kept, read, taken away again, and not wanted."""

from typing import Any

from tests.server.accounts.test_accounts import PASSWORD, ask
from tests.server.conftest import Frame, Serve, Served, Visitor
from tests.server.profiles.test_people import follow, names

OPEN = [{"occupant": "me"}, {"occupant": "open"}]
BOTH = [{"occupant": "me"}, {"occupant": "me"}]
DAYS = {"initial_ms": 86_400_000, "increment_ms": 0, "renews": True}


async def noticed(visitor: Visitor, kind: str) -> Frame:
    """Return the next new notice of a kind."""
    while True:
        notification: Frame = (await visitor.hear_until("notification_added"))["notification"]
        if notification["kind"] == kind:
            return notification


async def kept(visitor: Visitor) -> list[tuple[str, bool]]:
    """Return the kinds of the notices that there are, and whether they were read."""
    await visitor.say("watch_notifications")
    frame = await visitor.hear_until("notifications")
    return [(notification["kind"], notification["read"]) for notification in frame["notifications"]]


async def listed_until(visitor: Visitor, *kinds: str) -> None:
    """Wait until the list that was told last holds exactly these kinds."""
    while True:
        frame = await visitor.hear_until("notifications")
        if sorted(notification["kind"] for notification in frame["notifications"]) == sorted(kinds):
            return


async def challenge(by: Visitor, whom: Visitor, **fields: Any) -> str:
    answer = await by.ask("create", id="c", game="morris", seats=OPEN, invited=whom.player["name"], **fields)
    assert answer["type"] == "accepted", answer
    return str(answer["match"])


async def begin(ann: Visitor, ben: Visitor) -> str:
    """Return a match by correspondence in which Ann is to move."""
    match = (await ann.ask("create", id="b", game="morris", seats=OPEN, clock=DAYS))["match"]
    assert (await ben.ask("join", id="j", match=match))["type"] == "accepted"
    return str(match)


async def test_a_challenge_is_told_and_kept_until_it_is_answered(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    await ann.say("watch_notifications")
    match = await challenge(ann, ben)
    notification = await noticed(ben, "challenged")
    assert (notification["match"], notification["player"]["name"], notification["game"]) == (match, "Annabel", "morris")
    await ben.ask("join", id="j", match=match)
    await listed_until(ben)
    assert (await noticed(ann, "challenge_accepted"))["player"]["name"] == "Benjamin"


async def test_a_challenge_that_is_declined_is_told_to_its_maker_though_away(serve: Serve) -> None:
    served = await serve()
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    match = await challenge(ann, ben)
    await noticed(ben, "challenged")
    await ann.connection.close()
    await ben.ask("decline", id="d", match=match)
    await listed_until(ben)
    again = await serve()
    ann = await again.visitor(ann.token)
    assert await kept(ann) == [("challenge_declined", False)]


async def test_whoever_is_blocked_gives_no_notice(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ask(ben, "block", player=ann.player["id"])
    await ben.say("watch_notifications")
    await challenge(ann, ben)
    cem = (await names(served, "Clothilde"))[0]
    await challenge(cem, ben)
    assert (await noticed(ben, "challenged"))["player"]["name"] == "Clothilde"
    assert await kept(ben) == [("challenged", False)]


async def test_by_correspondence_a_turn_is_told_until_the_ply_is_made(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    for visitor in (ann, ben):
        await visitor.say("watch_notifications")
    match = await begin(ann, ben)
    assert (await noticed(ann, "your_turn"))["match"] == match
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    await listed_until(ann)
    assert (await noticed(ben, "your_turn"))["player"]["name"] == ann.player["name"]
    assert (await ask(ben, "mark_notifications_read", subject=match))["type"] == "done"
    assert await kept(ben) == [("your_turn", True)]
    await ben.ask("play", id="p2", match=match, seat=1, move="f4")
    await noticed(ann, "your_turn")
    await ben.ask("resign", id="r", match=match, seat=1)
    ended = await noticed(ann, "match_ended")
    assert (ended["match"], "resign" in ended["explanation"]) == (match, True)


async def test_the_end_of_a_match_is_told_only_to_who_is_away(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await begin(ann, ben)
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    await ben.ask("play", id="p2", match=match, seat=1, move="f4")
    await ann.say("watch", match=match)
    await ann.hear_until("audience_update")
    await ann.say("watch_notifications")
    await ben.say("watch_notifications")
    await ann.ask("resign", id="r", match=match, seat=0)
    await noticed(ben, "match_ended")
    assert "match_ended" not in [kind for kind, _ in await kept(ann)]
    await ann.ask("rematch", id="re", match=match, seat=0)
    assert (await noticed(ben, "rematch_offered"))["match"] == match
    await ben.ask("decline_rematch", id="no", match=match, seat=1)
    await listed_until(ben, "match_ended")


async def test_what_is_not_wanted_is_not_told_and_what_is_wanted_of_those_one_follows_is(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    chosen = ["followed_online", "followed_playing"]
    assert "challenged" in (await ask(ann, "get_notification_kinds"))["kinds"]
    assert (await ask(ann, "set_notification_kinds", kinds=chosen))["type"] == "done"
    assert (await ask(ann, "get_notification_kinds"))["kinds"] == chosen
    await follow(ann, ben)
    await ann.say("watch_notifications")
    await challenge(ben, ann)
    match = (await ben.ask("create", id="x", game="morris", seats=BOTH))["match"]
    playing = await noticed(ann, "followed_playing")
    assert (playing["match"], playing["subject"]) == (match, ben.player["id"])
    cem = (await names(served, "Clothilde"))[0]
    await follow(ann, cem)
    await cem.connection.close()
    # Who comes back soon has not come online anew; who follows is told of the first coming only.
    assert [kind for kind, _ in await kept(ann)] == ["followed_playing"]


async def test_guests_choose_no_kinds_and_bots_get_no_notices(served: Served) -> None:
    guest = await served.visitor()
    assert (await ask(guest, "set_notification_kinds", kinds=[]))["code"] == "account_needed"
    assert await kept(guest) == []


async def test_with_the_account_its_notices_go(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ben.say("watch_notifications")
    await challenge(ann, ben)
    await noticed(ben, "challenged")
    assert (await ask(ann, "delete_account", password=PASSWORD))["type"] == "done"
    assert await kept(ben) == []
