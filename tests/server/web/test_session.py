"""Sessions over real sockets: identities, events of matches, and restarts."""

import asyncio
import json

import pytest
from structlog.testing import capture_logs
from websockets.exceptions import InvalidStatus

from millrace.protocol import VERSION, Code
from millrace.server.storage.errors import StorageError
from millrace.server.web.message_limit import MessageLimit
from tests.server.in_process_server import Serve, Served
from tests.server.node_cluster import Cluster
from tests.server.web.two_players import BOT, ME, OPEN, begin, create


async def test_a_guest_gets_an_identity_and_keeps_it_with_the_token(served: Served) -> None:
    first = await served.visitor()
    again = await served.visitor(first.token)
    other = await served.visitor()
    assert again.player == first.player != other.player
    assert first.token not in json.dumps([first.player, other.welcome])


async def test_a_connection_begins_with_hello(served: Served) -> None:
    stranger = await served.socket()
    await stranger.say("ping", nonce=1)
    assert (await stranger.hear())["code"] == Code.HELLO_FIRST
    await stranger.say("hello", version=VERSION)
    assert (await stranger.hear())["type"] == "welcome"
    await stranger.say("hello", version=VERSION)
    assert (await stranger.hear())["code"] == Code.HELLO_FIRST


async def test_a_connection_may_end_before_it_has_said_hello(served: Served) -> None:
    with capture_logs() as logs:
        stranger = await served.socket()
        await stranger.connection.close()
        await served.visitor()
    assert [line["event"] for line in logs if line["log_level"] == "error"] == []


async def test_a_database_failure_refuses_the_message_and_keeps_the_connection(
    cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fail(*_: object) -> None:
        raise StorageError("connection refused")

    ann = await cluster.first.visitor()
    monkeypatch.setattr(cluster.nodes["first"].started.stores.accounts, "find_named", fail)
    with capture_logs() as logs:
        refused = await ann.ask("create", game="morris", seats=[ME, OPEN], invited="Ben")
    assert refused["code"] == Code.UNAVAILABLE
    assert [(line["request"], line["player"]) for line in logs if "request" in line] == [
        (refused["id"], ann.player["id"])
    ]
    assert await create(ann, ME, BOT)


async def test_another_protocol_version_is_refused_with_a_reason(served: Served) -> None:
    stranger = await served.socket()
    await stranger.say("hello", version=99)
    assert (await stranger.hear())["code"] == Code.UNSUPPORTED_VERSION
    code, reason = await stranger.closed()
    assert (code, f"version {VERSION}" in reason) == (1008, True)


@pytest.mark.parametrize("token", ["x", "guest_short", "guest_" + "?" * 43])
async def test_an_unknown_token_is_refused(served: Served, token: str) -> None:
    stranger = await served.socket()
    await stranger.say("hello", version=VERSION, token=token)
    assert (await stranger.hear())["code"] == Code.BAD_TOKEN


async def test_two_people_play_and_a_third_sees_the_same_events(served: Served) -> None:
    ann, ben, match = await begin(served, setup="WW......B....B.........B w 1 0")
    eve = await served.visitor()
    await eve.say("watch", match=match)
    await eve.hear_until("watching")
    answer = await ann.ask("play", match=match, seat=0, move="g7xe5")
    assert answer["type"] == "accepted"
    ends = [await player.hear_event("ended") for player in (ben, eve)]
    assert ends[0] == ends[1]
    assert ends[0]["event"]["ranks"] == [1, 2]
    assert ends[0]["to_move"] is None


async def test_only_the_seat_to_move_gets_its_legal_moves(served: Served) -> None:
    ann, ben, match = await begin(served)
    turn = await ann.hear_until("turn")
    assert turn["seat"] == 0
    assert len(turn["moves"]) == 24
    assert set(turn["moves"].values()) == {None}
    await ann.ask("play", match=match, seat=0, move="d6")
    turn = await ben.hear_until("turn")
    assert len(turn["moves"]) == 23
    assert not [frame for frame in ann.read if frame["type"] == "turn" and frame["seat"] == 1]


async def test_a_view_shows_all_pieces(served: Served) -> None:
    _, ben, _ = await begin(served, "d6")
    moved = await ben.hear_event("moved")
    view = {name: value for name, value in moved["view"].items() if value is not None}
    assert view == {"changes": [["d6", 0, 1]], "reserves": [8, 9], "highlights": [], "tallies": []}


async def test_a_resuming_client_gets_exactly_the_missing_events(served: Served) -> None:
    ann, _, match = await begin(served, "d6", "f4")
    again = await served.visitor(ann.token)
    await again.say("watch", match=match, since=4)
    assert (await again.hear_until("watching"))["seq"] == 6
    missed = await again.hear_until("match_events")
    assert [event["seq"] for event in missed["events"]] == [5, 6]
    assert (await again.hear_until("turn"))["seat"] == 0


async def test_a_spectator_who_takes_a_seat_is_shown_as_present(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann)
    for visitor in (ann, ben):
        await visitor.say("watch", match=match)
    await ann.hear_until("audience_update", spectators=1, present=[True, False])
    await ben.ask("join", match=match)
    await ann.hear_until("audience_update", spectators=0, present=[True, True])


async def test_live_matches_are_listed_while_they_are_played(served: Served) -> None:
    eve = await served.visitor()
    await eve.say("watch_lobby")
    assert (await eve.hear_until("live_matches"))["matches"] == []
    ann, ben, match = await begin(served)
    listed = await eve.hear_until("live_matches")
    assert [line["match"] for line in listed["matches"]] == [match]
    assert listed["matches"][0]["players"] == [ann.player["name"], ben.player["name"]]
    await ann.ask("resign", match=match, seat=0)
    await eve.hear_until("live_matches", matches=[])


async def test_bots_play_each_other_to_the_end(served: Served) -> None:
    eve = await served.visitor()
    match = await create(eve, BOT, BOT, setup="WWW.......BBB..........W w 0 0")
    await eve.say("watch", match=match)
    assert (await eve.hear_event("ended"))["event"]["ranks"] is not None


async def test_after_a_restart_everything_is_restored_with_a_grace_period(serve: Serve) -> None:
    first: Served = await serve()
    ann, ben, match = await begin(first, clock={"initial_ms": 60_000})
    accepted = await ann.ask("play", match=match, seat=0, move="d6")
    second: Served = await serve()
    again = await second.visitor(ben.token)
    await again.say("watch", match=match, since=accepted["seq"])
    resumed = await again.hear_event("resumed")
    assert resumed["seq"] == accepted["seq"] + 1
    assert resumed["event"]["grace_ms"] > 0
    assert (await again.hear_until("turn"))["seat"] == 1
    answer = await again.ask("play", match=match, seat=1, move="f4")
    assert answer["seq"] == accepted["seq"] + 2


async def test_after_a_restart_a_bot_to_move_moves(serve: Serve) -> None:
    first: Served = await serve()
    first.bots.choose = asyncio.Event().wait  # type: ignore[assignment,method-assign]  # a bot that never answers
    ann = await first.visitor()
    match = await create(ann, BOT, ME)
    second: Served = await serve()
    again = await second.visitor(ann.token)
    await again.say("watch", match=match)
    assert (await again.hear_event("moved"))["event"]["seat"] == 0


async def test_pages_of_other_sites_may_not_connect(serve: Serve) -> None:
    served: Served = await serve()
    with pytest.raises(InvalidStatus) as refused:
        await served.socket(origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    own = await served.socket(origin=f"http://localhost:{served.port}")
    await own.say("hello", version=VERSION)
    assert (await own.hear())["type"] == "welcome"


async def test_the_first_answer_of_a_kind_costs_its_caller_nothing_and_later_ones_their_time(
    served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    charged: list[float] = []
    monkeypatch.setattr(MessageLimit, "charge", lambda _limit, seconds, _waits: charged.append(seconds))
    ann = await served.visitor()
    charged.clear()
    for count in (0, 1, 2):
        await ann.ask("get_fitting_bot", game="morris")
        assert len(charged) == count
