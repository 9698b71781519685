"""Profiles over real sockets: shown data, follows, who is online, hidden data, and the page's settings."""

import asyncio
from typing import Any

import pytest

from millrace.protocol import IdentityId
from millrace.server.players.profiles.profile_rules import MOST_LINES
from millrace.server.players.profiles.profile_store import ProfileStore
from tests.server.in_process_server import Frame, Serve, Served, SteppedClock, Visitor
from tests.server.players.accounts.registered_players import PASSWORD, follow, register_all
from tests.server.web.two_players import BOT, ME, create


async def list_shows(visitor: Visitor, type_: str, **players: Any) -> Frame:
    """Return the latest list of a type, once it shows each of these players as expected, or not at all if None."""
    while True:
        for frame in [frame for frame in visitor.read if frame["type"] == type_][-1:]:
            lines = {status["player"]["name"]: status for status in [*frame["players"], *frame.get("bots", ())]}
            if all(matches(lines.get(name), expected) for name, expected in players.items()):
                return frame
        await visitor.hear()


def matches(line: Frame | None, expected: Frame | None) -> bool:
    if line is None or expected is None:
        return line is expected
    return all(line[field] == value for field, value in expected.items())


@pytest.fixture
def served_url(url: str) -> str:
    """The tests of this module run on every kind of database."""
    return url


async def test_everyone_can_see_a_profile_which_is_tidied_and_markup_stays_text(served: Served) -> None:
    (ann,), guest = await register_all(served, "Annabel"), await served.visitor()
    written = "  <b>Hello</b>  &amp;\tso on \r\n\n\n\nhttps://example.org\n"
    bio = "<b>Hello</b> &amp; so on\n\nhttps://example.org"
    assert (await ann.ask("set_profile", bio=written, country="NZ"))["type"] == "done"
    about = await guest.ask("get_profile", name="annabel")
    assert (about["bio"], about["status"]["country"], about["followers"]) == (bio, "NZ", 0)
    preferences = await ann.ask("get_preferences")
    assert (preferences["bio"], preferences["country"], preferences["online_visible"]) == (bio, "NZ", True)
    assert len(preferences["countries"]) == 249


async def test_guests_cannot_follow_or_be_followed_and_nobody_follows_themselves(served: Served) -> None:
    (ann,), guest = await register_all(served, "Annabel"), await served.visitor()
    assert (await follow(guest, ann))["code"] == "account_needed"
    assert (await follow(ann, guest))["code"] == "unknown_player"
    assert (await follow(ann, ann))["code"] == "not_for_you"


async def test_bad_profiles_and_too_many_changes_are_refused(serve: Serve) -> None:
    (ann,) = await register_all(await serve(SteppedClock()), "Annabel")
    assert (await ann.ask("set_profile", country="XX"))["code"] == "unknown_country"
    for text in ("a\u202eb", "a\x00b", "\n".join("x" * (MOST_LINES + 1))):
        assert (await ann.ask("set_profile", bio=text))["code"] == "bad_text"
    assert (await ann.ask("set_profile", bio="x" * 401))["code"] == "malformed"
    answers = [await ann.ask("set_profile", bio=str(number)) for number in range(21)]
    assert [answer["type"] for answer in answers] == ["done"] * 20 + ["refused"]


async def test_built_in_bots_have_a_profile_and_unknown_names_are_refused(served: Served) -> None:
    guest = await served.visitor()
    about = await guest.ask("get_profile", name="bot-3")
    assert (about["status"]["player"]["level"], about["status"]["online"]) == (3, True)
    assert (await guest.ask("get_profile", name="Nobody-here"))["code"] == "unknown_player"


async def test_followed_players_are_listed_with_what_they_are_playing(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ann.say("watch_players")
    await list_shows(ann, "followed_players", Benjamin=None)
    assert (await follow(ann, ben))["type"] == "done"
    await list_shows(ann, "followed_players", Benjamin={"online": True, "match": None})
    match = await create(ben, ME, BOT)
    await list_shows(ann, "followed_players", Benjamin={"match": match, "game": "morris"})
    await ben.ask("play", match=match, seat=0, move="d6", ply=0)
    await ben.ask("resign", match=match, seat=0)
    await list_shows(ann, "followed_players", Benjamin={"online": True, "match": None})
    about = await ann.ask("get_profile", name="Benjamin")
    assert (about["followers"], about["followed"]) == (1, True)
    await ben.connection.close()
    gone = await list_shows(ann, "followed_players", Benjamin={"online": False})
    assert gone["players"][0]["seen_ms"] % 3_600_000 == 0
    await follow(ann, ben, on=False)
    await list_shows(ann, "followed_players", Benjamin=None)


async def test_online_players_bots_and_guests_are_listed_separately(served: Served) -> None:
    ann, robot = await register_all(served, "Annabel", "Gearwheel")
    guest = await served.visitor()
    assert (await robot.ask("become_bot"))["type"] == "done"
    await guest.say("watch_players")
    frame = await list_shows(guest, "online_players", Annabel={"online": True}, Gearwheel={"online": True})
    assert [status["player"]["name"] for status in frame["bots"]] == ["Gearwheel"]
    assert (frame["count"], frame["guests"]) == (1, 1)
    await ann.connection.close()
    await list_shows(guest, "online_players", Annabel=None)


async def test_a_player_who_hides_never_appears_online(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await follow(ben, ann)
    assert (await ann.ask("set_online_visibility", online_visible=False))["type"] == "done"
    await create(ann, ME, BOT)
    await ben.say("watch_players")
    assert [status["player"]["name"] for status in (await ben.hear_until("online_players"))["players"]] == ["Benjamin"]
    (hidden,) = (await ben.hear_until("followed_players"))["players"]
    (found,) = (await ben.ask("find_players", prefix="anna"))["players"]
    about = (await ben.ask("get_profile", name="Annabel"))["status"]
    for status in (hidden, found, about):
        assert (status["online"], status["match"], status["seen_ms"]) == (False, None, None)
    await ann.ask("set_online_visibility", online_visible=True)
    await list_shows(ben, "online_players", Annabel={"online": True, "game": "morris"})


async def test_a_block_ends_following_both_ways_and_prevents_it(served: Served) -> None:
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await follow(ann, ben)
    await follow(ben, ann)
    await ann.say("watch_players")
    await list_shows(ann, "followed_players", Benjamin={"online": True})
    assert (await ben.ask("block", player=ann.player["id"]))["type"] == "blocked"
    await list_shows(ann, "followed_players", Benjamin=None)
    for visitor, other, name in ((ann, ben, "Benjamin"), (ben, ann, "Annabel")):
        about = await visitor.ask("get_profile", name=name)
        assert (about["followers"], about["followed"]) == (0, False)
        assert (await follow(visitor, other))["code"] == "not_for_you"


async def test_a_block_during_the_storing_of_a_follow_ends_it(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    begun, may_go_on, store = asyncio.Event(), asyncio.Event(), ProfileStore.follow

    async def store_slowly(profiles: ProfileStore, by: IdentityId, whom: IdentityId, now_ms: int) -> bool:
        begun.set()
        await may_go_on.wait()
        return await store(profiles, by, whom, now_ms)

    monkeypatch.setattr(ProfileStore, "follow", store_slowly)
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    again = await served.visitor(ben.token)
    await ann.say("follow", id="f", player=ben.player["id"], on=True)
    await begun.wait()
    await ben.say("block", id="b", player=ann.player["id"])
    assert (await again.ask("get_blocked"))["players"] == [], "the block waits for the follow"
    may_go_on.set()
    await ann.hear_until("done", id="f")
    await ben.hear_until("blocked", id="b")
    assert (await again.ask("get_profile", name="Benjamin"))["followers"] == 0


async def test_profiles_and_follows_survive_a_restart_and_end_with_the_account(serve: Serve) -> None:
    served = await serve()
    ann, ben = await register_all(served, "Annabel", "Benjamin")
    await ann.ask("set_profile", bio="Here since the start.", country="DE")
    await ann.ask("set_online_visibility", online_visible=False)
    await follow(ann, ben)
    again = await serve()
    ann, ben = await again.visitor(ann.token), await again.visitor(ben.token)
    about = await ben.ask("get_profile", name="Annabel")
    assert (about["bio"], about["status"]["country"]) == ("Here since the start.", "DE")
    assert not about["status"]["online"]
    assert (await ben.ask("get_profile", name="Benjamin"))["followers"] == 1
    assert (await ann.ask("delete_account", password=PASSWORD))["type"] == "done"
    assert (await ben.ask("get_profile", name="Annabel"))["code"] == "unknown_player"
    assert (await ben.ask("get_profile", name="Benjamin"))["followers"] == 0


async def test_blocks_are_limited_and_a_repeated_block_is_allowed(serve: Serve) -> None:
    served = await serve(limits={"blocked_players.guest": 2})
    ann = await served.visitor()
    found = [await ann.ask("block", player=f"guest-{name}") for name in ("a", "b", "b", "c")]
    assert [frame["type"] for frame in found] == ["blocked"] * 3 + ["refused"]
    assert (found[-1]["code"], found[-1]["message"]) == ("too_many", "You can block at most 2 players.")
    await ann.ask("unblock", player="guest-a")
    assert (await ann.ask("block", player="guest-c"))["type"] == "blocked"


async def test_follows_are_limited_and_a_repeated_follow_is_allowed(serve: Serve) -> None:
    served = await serve(limits={"followed_players.account": 1})
    ann, ben, cem = await register_all(served, "Annabel", "Benjamin", "Cemalettin")
    found = [await follow(ann, each) for each in (ben, ben, cem)]
    assert [frame["type"] for frame in found] == ["done", "done", "refused"]
    assert found[-1]["code"] == "too_many"
    await follow(ann, ben, on=False)
    assert (await follow(ann, cem))["type"] == "done"


MARBLE = {
    "board": "marble",
    "men": "plain",
    "theme": "dark",
    "coordinates": False,
    "hints": True,
    "animation": False,
    "reactions": True,
    "sound": True,
    "volume": 25,
    "vibration": False,
    "language": "de",
    "thinks_for_bots": True,
}


async def test_settings_are_the_same_on_another_device(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    assert (await ann.ask("get_page_settings"))["settings"] is None
    assert (await ann.ask("set_page_settings", settings=MARBLE))["type"] == "done"
    answer = await (await served.visitor()).ask("sign_in", name="Annabel", password=PASSWORD)
    phone = await served.visitor(answer["token"])
    assert (await phone.ask("get_page_settings"))["settings"] == MARBLE


async def test_an_omitted_field_has_its_default(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    await ann.ask("set_page_settings", settings={"board": "pixel"})
    settings = (await ann.ask("get_page_settings"))["settings"]
    assert (settings["board"], settings["theme"], settings["volume"]) == ("pixel", "system", 40)


async def test_unknown_values_are_refused(served: Served) -> None:
    (ann,) = await register_all(served, "Annabel")
    for wrong in ({"board": "glass"}, {"volume": 101}, {"colour": "red"}):
        assert (await ann.ask("set_page_settings", settings=wrong))["code"] == "malformed"


async def test_too_many_changes_are_refused(serve: Serve) -> None:
    (ann,) = await register_all(await serve(SteppedClock()), "Annabel")
    answers = [await ann.ask("set_page_settings", settings=MARBLE) for _ in range(61)]
    assert [answer["type"] for answer in answers] == ["done"] * 60 + ["refused"]
