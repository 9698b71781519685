"""Sessions over real sockets: who one is, what is refused, what closes a connection, and that it harms nobody else."""

import asyncio
import json

import pytest
from websockets.exceptions import ConnectionClosedError, InvalidStatus

from server import metrics
from server.protocol import MAX_FRAME_BYTES, Code
from tests.server.conftest import Frame, Serve, Served, Visitor

ME, OPEN, BOT = {"occupant": "me"}, {"occupant": "open"}, {"occupant": "bot", "level": 1}


async def create(visitor: Visitor, *seats: Frame, **fields: object) -> str:
    answer = await visitor.ask("create", id="create", game="morris", seats=seats or (ME, OPEN), **fields)
    return str(answer["match"])


async def preview(visitor: Visitor, game: str, setup: str) -> Frame:
    await visitor.say("preview", id="preview", game=game, setup=setup)
    return await visitor.hear_until("previewed")


async def begin(served: Served, **fields: object) -> tuple[Visitor, Visitor, str]:
    """Return two players who have begun a match and watch it."""
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, **fields)
    await ben.ask("join", id="join", match=match)
    for player in (ann, ben):
        await player.say("watch", match=match)
        await player.hear_event("started")
    return ann, ben, match


async def test_a_guest_gets_an_identity_without_asking_and_keeps_it_by_its_token(served: Served) -> None:
    first = await served.visitor()
    again = await served.visitor(first.token)
    other = await served.visitor()
    assert again.player == first.player != other.player
    assert first.token not in json.dumps([first.player, other.welcome])


async def test_a_connection_begins_with_hello(served: Served) -> None:
    stranger = await served.socket()
    await stranger.say("ping", nonce=1)
    assert (await stranger.hear())["code"] == Code.HELLO_FIRST
    await stranger.say("hello", version=1)
    assert (await stranger.hear())["type"] == "welcome"
    await stranger.say("hello", version=1)
    assert (await stranger.hear())["code"] == Code.HELLO_FIRST


async def test_another_version_of_the_protocol_is_refused_with_words(served: Served) -> None:
    stranger = await served.socket()
    await stranger.say("hello", version=99)
    assert (await stranger.hear())["code"] == Code.UNSUPPORTED_VERSION
    with pytest.raises(ConnectionClosedError) as closed:
        await stranger.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1008
    assert "version 1" in closed.value.rcvd.reason


@pytest.mark.parametrize("token", ["x", "guest_short", "guest_" + "?" * 43])
async def test_a_token_that_was_never_given_out_is_refused(served: Served, token: str) -> None:
    stranger = await served.socket()
    await stranger.say("hello", version=1, token=token)
    assert (await stranger.hear())["code"] == Code.BAD_TOKEN


async def test_two_people_play_and_a_third_sees_the_same_events(served: Served) -> None:
    ann, ben, match = await begin(served, setup="WW......B....B.........B w 1 0")
    eve = await served.visitor()
    await eve.say("watch", match=match)
    await eve.hear_until("watching")
    answer = await ann.ask("play", id="p1", match=match, seat=0, move="g7xe5")
    assert answer["type"] == "accepted"
    ends = [await player.hear_event("ended") for player in (ben, eve)]
    assert ends[0] == ends[1]
    assert ends[0]["event"]["ranks"] == [1, 2]
    assert ends[0]["to_move"] is None


async def test_the_seat_to_move_is_told_its_legal_moves_and_nobody_else(served: Served) -> None:
    ann, ben, match = await begin(served)
    turn = await ann.hear_until("turn")
    assert turn["seat"] == 0
    assert len(turn["moves"]) == 24
    assert set(turn["moves"].values()) == {None}
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    turn = await ben.hear_until("turn")
    assert len(turn["moves"]) == 23
    assert not [frame for frame in ann.read if frame["type"] == "turn" and frame["seat"] == 1]


async def test_a_view_says_what_lies_where(served: Served) -> None:
    ann, ben, match = await begin(served)
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    moved = await ben.hear_event("moved")
    view = {name: value for name, value in moved["view"].items() if value is not None}
    assert view == {"changes": [["d6", 0, 1]], "reserves": [8, 9]}


async def test_a_position_of_a_match_is_described_as_text(served: Served) -> None:
    ann, ben, match = await begin(served)
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    await ben.say("describe", id="d1", match=match, ply=1)
    described = await ben.hear_until("described")
    assert described["position"] == "....W................... b 8 9"
    await ben.say("describe", id="d2", match=match, ply=2)
    assert (await ben.hear_until("refused"))["code"] == "unknown_ply"


async def test_a_preview_shows_what_a_match_would_begin_with_and_makes_none(served: Served) -> None:
    ann = await served.visitor()
    setup = f"{'.' * 22}WB b 3 4"
    previewed = await preview(ann, "morris", setup)
    assert (previewed["seats"], previewed["to_move"], previewed["position"]) == (2, 1, setup)
    assert sorted(previewed["view"]["changes"]) == [["d1", 0, 1], ["g1", 1, 1]]
    assert len(previewed["board"]["cells"]) == 24


async def test_a_preview_of_a_position_in_which_play_is_over_names_nobody_to_move(served: Served) -> None:
    ann = await served.visitor()
    over = "WW......................"
    previewed = await preview(ann, "morris", f"{over} w 0 0")
    assert previewed["to_move"] is None
    refused = await ann.ask("create", id="c", game="morris", setup=f"{over} w 0 0", seats=(ME, ME))
    assert (refused["code"], refused["message"]) == (Code.BAD_SETUP, "Play is over in that position.")


@pytest.mark.parametrize(("game", "code"), [("chess", Code.UNKNOWN_GAME), ("morris", Code.BAD_SETUP)])
async def test_a_preview_of_what_cannot_be_is_refused_with_the_reason(served: Served, game: str, code: Code) -> None:
    ann = await served.visitor()
    refused = await ann.ask("preview", id="p", game=game, setup="nonsense")
    assert (refused["code"], refused["id"]) == (code, "p")


async def test_every_start_that_a_game_offers_can_be_previewed(served: Served) -> None:
    ann = await served.visitor()
    for game in ann.welcome["games"]:
        for start in game["starts"]:
            setup = start["setup"].replace("{seed}", "12345")
            previewed = await preview(ann, game["name"], setup)
            assert previewed["seats"] == start["seats"]


async def test_one_who_resumes_gets_exactly_the_missing_events(served: Served) -> None:
    ann, ben, match = await begin(served)
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    await ben.ask("play", id="p1", match=match, seat=1, move="f4")
    again = await served.visitor(ann.token)
    await again.say("watch", match=match, since=4)
    assert (await again.hear_until("watching"))["seq"] == 6
    missed = await again.hear_until("happenings")
    assert [event["seq"] for event in missed["events"]] == [5, 6]
    assert (await again.hear_until("turn"))["seat"] == 0


async def test_a_repeated_command_is_answered_alike_and_played_once(served: Served) -> None:
    ann, _, match = await begin(served)
    first = await ann.ask("play", id="same", match=match, seat=0, move="d6")
    again = await served.visitor(ann.token)
    assert await again.ask("play", id="same", match=match, seat=0, move="d6") == first
    await again.say("watch", match=match)
    assert (await again.hear_until("watching"))["seq"] == first["seq"]


async def test_a_repeated_creation_makes_one_match(served: Served) -> None:
    ann = await served.visitor()
    other = await served.visitor()
    assert await create(ann) == await create(ann)
    assert await create(ann) != await create(other)


@pytest.mark.parametrize(
    ("type_", "fields", "code"),
    [
        ("play", {"seat": 1, "move": "d6"}, Code.NOT_YOUR_SEAT),
        ("play", {"seat": 0, "move": "d4"}, Code.BAD_MOVE),
        ("play", {"seat": 0, "move": "d6xd2"}, Code.ILLEGAL_MOVE),
        ("resign", {"seat": 1}, Code.NOT_YOUR_SEAT),
        ("rematch", {"seat": 0}, Code.NOT_OVER),
        ("join", {}, Code.SEAT_TAKEN),
        ("fill_seat", {"seat": 1, "level": 2}, Code.SEAT_TAKEN),
    ],
)
async def test_what_is_not_allowed_is_refused_by_code(served: Served, type_: str, fields: Frame, code: Code) -> None:
    ann, _, match = await begin(served)
    refused = await ann.ask(type_, id="x", match=match, **fields)
    assert (refused["type"], refused["code"], refused["match"]) == ("refused", code, match)
    assert refused["message"]


@pytest.mark.parametrize("type_", ["watch", "join"])
async def test_a_match_that_is_not_there_is_refused(served: Served, type_: str) -> None:
    visitor = await served.visitor()
    await visitor.say(type_, match="nowhere", **({} if type_ == "watch" else {"id": "x"}))
    refused = await visitor.hear_until("refused")
    assert (refused["code"], refused["match"]) == (Code.UNKNOWN_MATCH, "nowhere")


@pytest.mark.parametrize(
    "frame",
    [
        "",
        "nonsense",
        "[]",
        '"hello"',
        "{",
        b"\xff\xfe\x00",
        '{"type":"fly"}',
        '{"type":"play"}',
        '{"type":"ping","nonce":"many"}',
        '{"type":"ping","nonce":1e400}',
        '{"type":"ping","nonce":99999999999999999999999999}',
        '{"type":"ping","extra":1}',
        '{"type":"join","id":"","match":"m"}',
        '{"type":"join","id":"x","match":"m","seat":-1}',
        "[" * 5000,
    ],
)
async def test_a_malformed_frame_is_refused_and_the_connection_lives_on(served: Served, frame: str | bytes) -> None:
    visitor = await served.visitor()
    await visitor.connection.send(frame)
    assert (await visitor.hear())["code"] == Code.MALFORMED
    await visitor.say("ping", nonce=7)
    assert (await visitor.hear())["nonce"] == 7


async def test_the_refusal_of_a_malformed_command_names_its_id(served: Served) -> None:
    visitor = await served.visitor()
    await visitor.say("play", id="mine", match="m", seat="zero", move="d6")
    refused = await visitor.hear()
    assert (refused["code"], refused["id"], refused["match"]) == (Code.MALFORMED, "mine", "m")


async def test_an_oversized_frame_closes_the_connection_with_a_reason(served: Served) -> None:
    visitor = await served.visitor()
    await visitor.connection.send("x" * (MAX_FRAME_BYTES + 1))
    with pytest.raises(ConnectionClosedError) as closed:
        await visitor.hear()
    assert closed.value.rcvd is not None
    assert closed.value.rcvd.code == 1009
    assert closed.value.rcvd.reason


async def test_too_many_messages_close_the_connection_with_a_reason(serve: Serve) -> None:
    served: Served = await serve(message_rate=5)
    visitor = await served.visitor()
    for nonce in range(30):
        await visitor.say("ping", nonce=nonce)
    with pytest.raises(ConnectionClosedError) as closed:
        await visitor.hear_until("never")
    assert visitor.read[-1]["code"] == Code.TOO_FAST
    assert closed.value.rcvd is not None
    assert (closed.value.rcvd.code, closed.value.rcvd.reason) == (1008, visitor.read[-1]["message"])


async def test_a_watcher_that_does_not_read_is_cut_off_and_harms_nobody(served: Served) -> None:
    ann, ben, match = await begin(served)
    sleeper = await served.visitor()
    sleeper.connection.transport.pause_reading()
    cut = metrics.DISCONNECTED.labels("slow")
    cut_before = cut._value.get()
    for _ in range(20_000):
        await sleeper.say("watch", match=match)
        await asyncio.sleep(0)
        if cut._value.get() > cut_before:
            break
    for ply, move in enumerate(("a7", "d7", "g7", "b6", "d6", "f6")):
        player = (ann, ben)[ply % 2]
        assert (await player.ask("play", id=f"p{ply}", match=match, seat=ply % 2, move=move))["type"] == "accepted"
    assert cut._value.get() == cut_before + 1
    sleeper.connection.transport.resume_reading()
    with pytest.raises(ConnectionClosedError):
        await sleeper.hear_until("never")


async def test_a_watcher_who_takes_a_seat_is_told_of_as_present(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann)
    for visitor in (ann, ben):
        await visitor.say("watch", match=match)
    await ann.hear_until("audience", spectators=1, present=[True, False])
    await ben.ask("join", id="join", match=match)
    await ann.hear_until("audience", spectators=0, present=[True, True])


async def test_the_audience_is_counted_by_people(served: Served) -> None:
    ann, _, match = await begin(served)
    eve = await served.visitor()
    twice = await served.visitor(eve.token)
    for watcher in (eve, twice):
        await watcher.say("watch", match=match)
    assert (await ann.hear_until("audience", spectators=1))["present"] == [True, True]
    await eve.connection.close()
    await twice.connection.close()
    await ann.hear_until("audience", spectators=0)


async def test_live_matches_are_listed_while_they_are_played(served: Served) -> None:
    eve = await served.visitor()
    await eve.say("watch_lobby")
    assert (await eve.hear_until("live_matches"))["matches"] == []
    ann, ben, match = await begin(served)
    listed = await eve.hear_until("live_matches")
    assert [line["match"] for line in listed["matches"]] == [match]
    assert listed["matches"][0]["players"] == [ann.player["name"], ben.player["name"]]
    await ann.ask("resign", id="r", match=match, seat=0)
    await eve.hear_until("live_matches", matches=[])


async def test_a_bot_answers_a_persons_ply(served: Served) -> None:
    ann = await served.visitor()
    match = await create(ann, ME, BOT)
    await ann.say("watch", match=match)
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    while (moved := await ann.hear_event("moved"))["event"]["seat"] == 0:
        pass
    assert moved["event"]["seat"] == 1
    assert served.bots.requests[0].moves == ("d6",)


async def test_bots_play_each_other_to_the_end(served: Served) -> None:
    eve = await served.visitor()
    match = await create(eve, BOT, BOT, setup="WWW.......BBB..........W w 0 0")
    await eve.say("watch", match=match)
    assert (await eve.hear_event("ended"))["event"]["ranks"] is not None


async def test_the_flag_falls_by_itself(served: Served) -> None:
    ann, ben, match = await begin(served, clock={"initial_ms": 1000})
    await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    await ben.ask("play", id="p1", match=match, seat=1, move="f4")
    ended = await ben.hear_event("ended")
    assert (ended["event"]["reason"], ended["event"]["ranks"]) == ("time", [2, 1])
    assert ended["event"]["clocks_ms"] == [0, 1000]


async def test_a_rematch_begins_when_both_ask_for_it(served: Served) -> None:
    ann, ben, match = await begin(served)
    await ann.ask("resign", id="r", match=match, seat=0)
    await ann.ask("rematch", id="again", match=match, seat=0)
    await ben.hear_event("rematch_offered")
    await ben.ask("rematch", id="again", match=match, seat=1)
    started = await ann.hear_event("rematch_started")
    assert started == await ben.hear_event("rematch_started")
    await ben.say("watch", match=started["event"]["match"])
    assert (await ben.hear_until("watching", match=started["event"]["match"]))["your_seats"] == [0]


async def test_after_a_restart_everything_is_there_and_the_clock_has_its_grace(serve: Serve) -> None:
    first: Served = await serve()
    ann, ben, match = await begin(first, clock={"initial_ms": 60_000})
    accepted = await ann.ask("play", id="p1", match=match, seat=0, move="d6")
    second: Served = await serve()
    again = await second.visitor(ben.token)
    await again.say("watch", match=match, since=accepted["seq"])
    resumed = await again.hear_event("resumed")
    assert resumed["seq"] == accepted["seq"] + 1
    assert resumed["event"]["grace_ms"] > 0
    assert (await again.hear_until("turn"))["seat"] == 1
    answer = await again.ask("play", id="p1", match=match, seat=1, move="f4")
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


async def test_two_servers_on_one_database_agree_on_who_was_first(serve: Serve) -> None:
    first: Served = await serve()
    ann, _, match = await begin(first)
    second: Served = await serve()
    ann_there = await second.visitor(ann.token)
    await ann_there.say("watch", match=match)
    await ann_there.hear_until("watching")
    await ann.ask("play", id="here", match=match, seat=0, move="d6")
    refused = await ann_there.ask("play", id="there", match=match, seat=0, move="f4")
    assert refused["code"] == Code.NOT_YOUR_TURN
    moved = next(frame for frame in ann_there.read if frame.get("event", {}).get("type") == "moved")
    assert moved["event"]["move"] == "d6"


async def test_pages_of_other_sites_may_not_connect(serve: Serve) -> None:
    served: Served = await serve()
    with pytest.raises(InvalidStatus) as refused:
        await served.socket(origin="https://elsewhere.example")
    assert refused.value.response.status_code == 403
    own = await served.socket(origin=f"http://localhost:{served.port}")
    await own.say("hello", version=1)
    assert (await own.hear())["type"] == "welcome"
