"""The lobby over real sockets: quick pairing, seeks, challenges, blocks, and what outlives a connection."""

from typing import Any

import pytest

from millrace.server.lobby import matchmaker
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.lobby.commands import ask
from tests.server.players.accounts.registered_players import register

REQUEST = {"game": "morris", "seats": 2, "clock": {"initial_ms": 300_000, "increment_ms": 3_000}}
SHEEP = {"game": "battlesheep", "seats": 4, "clock": None}
ME, OPEN = {"occupant": "me"}, {"occupant": "open"}


@pytest.fixture
def short_waves(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players who wait are paired at once."""
    monkeypatch.setattr(matchmaker, "WAVE_SECONDS", 0.1)


async def listed(visitor: Visitor, count: int, kind: str = "seeks") -> list[Frame]:
    """Return the list of seeks or challenges once it has this length."""
    while True:
        lists: list[list[Frame]] = [frame[kind] for frame in visitor.read if frame["type"] == kind]
        if lists and len(lists[-1]) == count:
            return lists[-1]
        await visitor.hear()


@pytest.mark.usefixtures("short_waves")
async def test_two_players_with_equal_requests_are_paired_and_play(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    searching = await ask(ann, "find_match", request=REQUEST)
    assert (searching["type"], searching["waiting"], searching["bot_level"]) == ("searching", 1, None)
    assert (await ask(ben, "find_match", request=REQUEST))["waiting"] == 2
    paired = await ann.hear_until("paired")
    assert (await ben.hear_until("paired"))["match"] == paired["match"]
    seats = []
    for visitor in (ann, ben):
        await visitor.say("watch", match=paired["match"])
        seats.append((await visitor.hear_until("watching"))["your_seats"])
        await visitor.hear_event("started")
    assert sorted(seats) == [[0], [1]]


async def test_a_player_who_waits_alone_is_offered_a_bot(served: Served) -> None:
    ann = await served.visitor()
    await ask(ann, "find_match", request=REQUEST)
    refused = await ask(ann, "play_bot", id="early")
    assert (refused["type"], refused["code"]) == ("refused", "not_searching")
    await ann.hear_until("searching", bot_level=4)
    paired = await ask(ann, "play_bot", id="b")
    assert (await ask(ann, "play_bot", id="b")) == paired
    await ann.say("watch", match=paired["match"])
    await ann.hear_event("started")


async def test_four_players_are_paired_for_battle_sheep(served: Served) -> None:
    players = [await served.visitor() for _ in range(4)]
    for visitor in players:
        await ask(visitor, "find_match", request=SHEEP)
    matches = {(await visitor.hear_until("paired"))["match"] for visitor in players}
    assert len(matches) == 1


async def test_an_impossible_pairing_request_is_refused(served: Served) -> None:
    ann = await served.visitor()
    for request, code in (
        ({**REQUEST, "game": "chess"}, "unknown_game"),
        ({**REQUEST, "seats": 3}, "bad_seats"),
        ({**REQUEST, "rated": True}, "account_needed"),
        ({**REQUEST, "clock": {"initial_ms": 5_000, "renews": True}}, "bad_clock"),
    ):
        assert (await ask(ann, "find_match", request=request))["code"] == code


async def test_a_listed_seek_is_seen_and_joined_and_no_unlisted_match(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    await ben.say("watch_lobby")
    await listed(ben, 0)
    await ask(ann, "create", id="unlisted", game="morris", seats=[ME, OPEN])
    created = await ask(ann, "create", game="morris", seats=[ME, OPEN], listed=True)
    (seek,) = await listed(ben, 1)
    assert seek["match"] == created["match"]
    assert seek["by"] == ann.player
    assert seek["players"] == [ann.player["name"], ""]
    assert (await ask(ben, "join", id="j", match=created["match"]))["type"] == "accepted"
    await listed(ben, 0)


async def test_a_withdrawn_seek_is_no_longer_listed(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    created = await ask(ann, "create", game="morris", seats=[ME, OPEN], listed=True)
    await ben.say("watch_lobby")
    await listed(ben, 1)
    await ask(ann, "abort", id="a", match=created["match"], seat=0)
    await listed(ben, 0)


async def test_a_seek_is_still_there_after_a_restart(serve: Any) -> None:
    served = await serve()
    ann = await served.visitor()
    await ask(ann, "create", game="morris", seats=[ME, OPEN], listed=True)
    again = await serve()
    ben = await again.visitor()
    await ben.say("watch_lobby")
    await listed(ben, 1)


async def test_a_guest_may_have_at_most_five_waiting_matches(served: Served) -> None:
    ann = await served.visitor()
    for number in range(5):
        answer = await ask(ann, "create", id=f"c{number}", game="morris", seats=[ME, OPEN])
        assert answer["type"] == "accepted"
    refused = await ask(ann, "create", id="c5", game="morris", seats=[ME, OPEN])
    assert refused["code"] == "too_many"
    assert await ask(ann, "create", id="c4", game="morris", seats=[ME, OPEN]) == answer
    assert (await ask(ann, "create", id="bot", game="morris", seats=[ME, {"occupant": "bot", "level": 1}]))["seq"] == 1


async def test_a_challenge_or_block_needs_another_known_player(served: Served) -> None:
    bea = await register(served)
    fields = {"game": "morris", "seats": [ME, OPEN]}
    assert (await ask(bea, "create", invited="Nobody-Here", **fields))["code"] == "unknown_player"
    assert (await ask(bea, "create", invited="Beatrix", **fields))["code"] == "not_for_you"
    assert (await ask(bea, "block", player=bea.player["id"]))["code"] == "not_for_you"


async def test_a_block_prevents_pairing_and_hides_seeks_both_ways(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    created = await ask(ann, "create", game="morris", seats=[ME, OPEN], listed=True)
    await ben.say("watch_lobby")
    await listed(ben, 1)
    blocked = await ask(ann, "block", id="b", player=ben.player["id"])
    assert blocked == {"type": "blocked", "id": "b", "players": [ben.player["id"]]}
    await listed(ben, 0)
    assert (await ask(ben, "join", id="j", match=created["match"]))["code"] == "not_for_you"
    assert (await ask(ann, "unblock", id="u", player=ben.player["id"]))["players"] == []
    await listed(ben, 1)


async def test_blocks_survive_a_restart(serve: Any) -> None:
    served = await serve()
    ann, ben = await served.visitor(), await served.visitor()
    await ask(ann, "block", id="b", player=ben.player["id"])
    again = await serve()
    back = await again.visitor(ann.token)
    assert (await ask(back, "unblock", id="u", player="guest-other"))["players"] == [ben.player["id"]]


async def challenge(maker: Visitor, name: str, **fields: Any) -> str:
    """Challenge a player by name and return the match."""
    answer = await ask(maker, "create", game="morris", seats=[ME, OPEN], invited=name, **fields)
    assert answer["type"] == "accepted", answer
    return str(answer["match"])


async def test_a_challenge_arrives_live_and_is_accepted_by_joining(served: Served) -> None:
    ann, bea = await served.visitor(), await register(served)
    match = await challenge(ann, "beatrix")
    (received,) = await listed(bea, 1, "challenges")
    assert (received["match"], received["by"]) == (match, ann.player)
    assert (await ask(bea, "join", id="j", match=match))["type"] == "accepted"
    await bea.say("watch", match=match)
    await bea.hear_event("started")


async def test_a_challenge_waits_for_an_offline_player_and_can_be_declined(served: Served) -> None:
    ann, bea = await served.visitor(), await register(served)
    token = bea.token
    await bea.connection.close()
    match = await challenge(ann, "Beatrix")
    await ann.say("watch", match=match)
    back = await served.visitor(token)
    assert (await listed(back, 1, "challenges"))[0]["match"] == match
    accepted = await ask(back, "decline", id="d", match=match)
    assert accepted["type"] == "accepted"
    assert await ask(back, "decline", id="d", match=match) == accepted
    await listed(back, 0, "challenges")
    ended = await ann.hear_event("ended")
    assert (ended["event"]["reason"], ended["event"]["ranks"]) == ("declined", None)


async def test_a_withdrawn_challenge_is_gone(served: Served) -> None:
    ann, bea = await served.visitor(), await register(served)
    match = await challenge(ann, "Beatrix")
    await listed(bea, 1, "challenges")
    await ask(ann, "abort", id="a", match=match, seat=0)
    await listed(bea, 0, "challenges")
    assert (await ask(bea, "decline", id="d", match=match))["code"] == "match_over"


async def test_a_challenge_by_a_blocked_player_does_not_arrive(served: Served) -> None:
    ann, bea = await served.visitor(), await register(served)
    match = await challenge(ann, "Beatrix")
    await listed(bea, 1, "challenges")
    await ask(bea, "block", id="b", player=ann.player["id"])
    await listed(bea, 0, "challenges")
    assert (await ask(bea, "join", id="j", match=match))["code"] == "not_for_you"


@pytest.mark.usefixtures("short_waves")
async def test_players_with_accounts_are_paired_for_rated_matches(served: Served) -> None:
    request = {**REQUEST, "rated": True}
    bea, clara = await register(served), await register(served, "Clara")
    for visitor in (bea, clara):
        assert (await ask(visitor, "find_match", request=request))["type"] == "searching"
    match = (await bea.hear_until("paired"))["match"]
    await clara.say("watch", match=match)
    assert (await clara.hear_event("created"))["event"]["rated"] is True


async def test_a_seek_for_a_rated_match_is_listed_for_members_only(served: Served) -> None:
    bea, clara, guest = await register(served), await register(served, "Clara"), await served.visitor()
    for kind in ({}, {"rated": True}):
        await ask(bea, "create", id=f"c{len(kind)}", game="morris", seats=[ME, OPEN], listed=True, **kind)
    for reader, count in ((clara, 2), (guest, 1)):
        await reader.say("watch_lobby")
        await listed(reader, count)


async def test_guests_of_one_address_can_join_a_limited_number_of_matches_a_day(serve: Any) -> None:
    served = await serve(limits={"guest_joins.guests": 2})
    ann = await served.visitor()
    for id_ in ("1", "2"):
        assert (await ask(ann, "find_match", id=id_, request=REQUEST))["type"] == "searching"
    assert (await ask(ann, "find_match", id="3", request=REQUEST))["code"] == "too_many"
    bea = await register(served)
    assert (await ask(bea, "find_match", request=REQUEST))["type"] == "searching"


async def test_a_player_who_leaves_a_seat_becomes_a_spectator_and_the_host_is_notified(served: Served) -> None:
    ann, ben, eve = [await served.visitor() for _ in range(3)]
    seats = [ME, OPEN, OPEN, OPEN]
    created = await ask(ann, "create", game="battlesheep", setup="seats=4", seats=seats, listed=True)
    match = created["match"]
    await ask(ben, "join", id="j", match=match)
    for visitor in (ann, ben):
        await visitor.say("watch", match=match)
        await visitor.hear_event("seated")
    left = await ask(ben, "leave_seat", id="l", match=match, seat=1)
    assert left["type"] == "accepted"
    freed = (await ann.hear_event("seat_freed"))["event"]
    assert freed == {"type": "seat_freed", "seat": 1, "player": ben.player}
    assert await ask(ben, "leave_seat", id="l", match=match, seat=1) == left
    while (await ann.hear_until("audience_update"))["spectators"] != 1:
        pass
    await eve.say("watch_lobby")
    (seek,) = await listed(eve, 1)
    assert seek["players"] == [ann.player["name"], "", "", ""]
    assert (await ask(eve, "join", id="eve", match=match))["type"] == "accepted"
    assert (await ben.hear_event("seated"))["event"]["player"] == eve.player
