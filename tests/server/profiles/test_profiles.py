"""People over real sockets: what they say of themselves, whom they follow, who is online, and what is hidden."""

import asyncio
from typing import Any

import pytest

from millrace.server.protocol import IdentityId
from millrace.server.storage.profiles import DatabaseProfiles
from tests.server.accounts.test_life import PASSWORD, ask, create, register
from tests.server.conftest import Frame, Serve, Served, Visitor

BOTH = [{"occupant": "me"}, {"occupant": "me"}]


async def names(served: Served, *wanted: str) -> list[Visitor]:
    """Return visitors with accounts of these names, each on one connection."""
    visitors = []
    for name in wanted:
        guest = await served.visitor()
        visitors.append(await register(served, name, guest))
        await guest.connection.close()
    return visitors


async def follow(visitor: Visitor, other: Visitor, on: bool = True) -> Frame:
    return await ask(visitor, "follow", player=other.player["id"], on=on)


async def told(visitor: Visitor, type_: str, **people: Any) -> Frame:
    """Return the latest list of a type, once each of these stands in it as is said, or does not if None is said."""
    while True:
        for frame in [frame for frame in visitor.read if frame["type"] == type_][-1:]:
            lines = {person["player"]["name"]: person for person in [*frame["players"], *frame.get("bots", ())]}
            if all(is_as(lines.get(name), expected) for name, expected in people.items()):
                return frame
        await visitor.hear()


def is_as(line: Frame | None, expected: Frame | None) -> bool:
    if line is None or expected is None:
        return line is expected
    return all(line[field] == value for field, value in expected.items())


async def test_what_somebody_says_of_themselves_is_seen_by_all_and_markup_is_text(served: Served) -> None:
    (ann,), guest = await names(served, "Annabel"), await served.visitor()
    bio = "<b>Hello</b>\n\nhttps://example.org"
    assert (await ask(ann, "set_profile", bio=f" {bio} ", country="NZ"))["type"] == "done"
    about = await ask(guest, "get_profile", name="annabel")
    assert (about["bio"], about["status"]["country"], about["followers"]) == (bio, "NZ", 0)
    preferences = await ask(ann, "get_preferences")
    assert (preferences["bio"], preferences["country"], preferences["online_visible"]) == (bio, "NZ", True)
    assert len(preferences["countries"]) == 249


async def test_guests_say_nothing_of_themselves_and_follow_nobody(served: Served) -> None:
    (ann,), guest = await names(served, "Annabel"), await served.visitor()
    for type_, fields in (
        ("set_profile", {"bio": "x"}),
        ("get_preferences", {}),
        ("set_online_visibility", {"online_visible": False}),
    ):
        assert (await ask(guest, type_, **fields))["code"] == "account_needed"
    assert (await follow(guest, ann))["code"] == "account_needed"
    assert (await follow(ann, guest))["code"] == "unknown_player"


async def test_what_cannot_be_said_is_refused_and_so_is_saying_too_much(served: Served) -> None:
    (ann,) = await names(served, "Annabel")
    assert (await ask(ann, "set_profile", country="XX"))["code"] == "unknown_country"
    assert (await ask(ann, "set_profile", bio="a\u202eb"))["code"] == "bad_line"
    assert (await ask(ann, "set_profile", bio="x" * 401))["code"] == "malformed"
    answers = [await ask(ann, "set_profile", bio=str(number)) for number in range(21)]
    assert [answer["type"] for answer in answers] == ["done"] * 20 + ["refused"]


async def test_the_house_bots_and_strangers_have_a_page_or_none(served: Served) -> None:
    guest = await served.visitor()
    about = await ask(guest, "get_profile", name="bot-3")
    assert (about["status"]["player"]["level"], about["status"]["online"]) == (3, True)
    assert (await ask(guest, "get_profile", name="Nobody-here"))["code"] == "unknown_player"


async def test_whom_one_follows_is_listed_with_what_they_do(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ann.say("watch_players")
    await told(ann, "followed_players", Benjamin=None)
    assert (await follow(ann, ben))["type"] == "done"
    await told(ann, "followed_players", Benjamin={"online": True, "match": None})
    match = await create(ben, BOTH)
    await told(ann, "followed_players", Benjamin={"match": match, "game": "morris"})
    await ben.ask("play", id="p", match=match, seat=0, move="d6", ply=0)
    await ben.ask("resign", id="r", match=match, seat=0)
    await told(ann, "followed_players", Benjamin={"online": True, "match": None})
    about = await ask(ann, "get_profile", name="Benjamin")
    assert (about["followers"], about["followed"]) == (1, True)
    await ben.connection.close()
    gone = await told(ann, "followed_players", Benjamin={"online": False})
    assert gone["players"][0]["seen_ms"] % 3_600_000 == 0
    await follow(ann, ben, on=False)
    await told(ann, "followed_players", Benjamin=None)


async def test_who_is_online_is_listed_and_guests_and_bots_are_counted_apart(served: Served) -> None:
    ann, robot = await names(served, "Annabel", "Gearwheel")
    guest = await served.visitor()
    assert (await ask(robot, "become_bot"))["type"] == "done"
    await guest.say("watch_players")
    frame = await told(guest, "online_players", Annabel={"online": True}, Gearwheel={"online": True})
    assert [person["player"]["name"] for person in frame["bots"]] == ["Gearwheel"]
    assert (frame["count"], frame["guests"]) == (1, 1)
    await ann.connection.close()
    await told(guest, "online_players", Annabel=None)


async def test_who_does_not_want_to_be_seen_online_is_nowhere_seen(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await follow(ben, ann)
    assert (await ask(ann, "set_online_visibility", online_visible=False))["type"] == "done"
    await create(ann, BOTH)
    await ben.say("watch_players")
    assert [person["player"]["name"] for person in (await ben.hear_until("online_players"))["players"]] == ["Benjamin"]
    (hidden,) = (await ben.hear_until("followed_players"))["players"]
    (found,) = (await ask(ben, "find_players", prefix="anna"))["players"]
    about = (await ask(ben, "get_profile", name="Annabel"))["status"]
    for person in (hidden, found, about):
        assert (person["online"], person["match"], person["seen_ms"]) == (False, None, None)
    await ask(ann, "set_online_visibility", online_visible=True)
    await told(ben, "online_players", Annabel={"online": True, "game": "morris"})


async def test_a_block_ends_following_both_ways_and_bars_it(served: Served) -> None:
    ann, ben = await names(served, "Annabel", "Benjamin")
    await follow(ann, ben)
    await follow(ben, ann)
    await ann.say("watch_players")
    await told(ann, "followed_players", Benjamin={"online": True})
    assert (await ask(ben, "block", player=ann.player["id"]))["type"] == "blocked"
    await told(ann, "followed_players", Benjamin=None)
    for visitor, other, name in ((ann, ben, "Benjamin"), (ben, ann, "Annabel")):
        about = await ask(visitor, "get_profile", name=name)
        assert (about["followers"], about["followed"]) == (0, False)
        assert (await follow(visitor, other))["code"] == "not_for_you"


async def test_who_is_blocked_while_their_follow_is_stored_follows_nobody(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, may_go_on, store = asyncio.Event(), asyncio.Event(), DatabaseProfiles.follow

    async def store_slowly(people: DatabaseProfiles, by: IdentityId, whom: IdentityId, now_ms: int) -> None:
        begun.set()
        await may_go_on.wait()
        await store(people, by, whom, now_ms)

    monkeypatch.setattr(DatabaseProfiles, "follow", store_slowly)
    ann, ben = await names(served, "Annabel", "Benjamin")
    again = await served.visitor(ben.token)
    await ann.say("follow", id="f", player=ben.player["id"], on=True)
    await begun.wait()
    await ben.say("block", id="b", player=ann.player["id"])
    while ann.player["id"] not in (await ask(again, "get_blocked"))["players"]:
        pass
    may_go_on.set()
    await ann.hear_until("done", id="f")
    await ben.hear_until("blocked", id="b")
    assert (await ask(again, "get_profile", name="Benjamin"))["followers"] == 0


async def test_what_is_chosen_outlives_the_server_and_ends_with_the_account(serve: Serve) -> None:
    served = await serve()
    ann, ben = await names(served, "Annabel", "Benjamin")
    await ask(ann, "set_profile", bio="Here since the start.", country="DE")
    await ask(ann, "set_online_visibility", online_visible=False)
    await follow(ann, ben)
    again = await serve()
    ann, ben = await again.visitor(ann.token), await again.visitor(ben.token)
    about = await ask(ben, "get_profile", name="Annabel")
    assert (about["bio"], about["status"]["country"], about["status"]["online"]) == (
        "Here since the start.",
        "DE",
        False,
    )
    assert (await ask(ben, "get_profile", name="Benjamin"))["followers"] == 1
    assert (await ask(ann, "delete_account", password=PASSWORD))["type"] == "done"
    assert (await ask(ben, "get_profile", name="Annabel"))["code"] == "unknown_player"
    assert (await ask(ben, "get_profile", name="Benjamin"))["followers"] == 0
