"""Matches of three and four seats over real sockets: open seats, departures, votes, forced passes, laid pastures."""

import pytest

from millrace.protocol import Code
from tests.server.in_process_server import Frame, Serve, Served, Visitor
from tests.server.web.two_players import BOT, ME, OPEN, begin, begin_between, create, play_moves

WIDE_FOR_THREE = "r16,0,0,0/b16,0,0,0/g16,0,0,0 r 3"
WIDE_FOR_FOUR = "r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"
TWO_ARE_SHUT_IN = "0,r16,0,b16,g16 r 3"


async def begin_sheep(served: Served, setup: str, seats: int) -> tuple[list[Visitor], str]:
    """Return people who have begun a match, one at each seat, and watch it."""
    people = [await served.visitor() for _ in range(seats)]
    return people, await begin_between(*people, game="battlesheep", setup=setup)


async def vote(visitor: Visitor, match: str, seat: int, for_seat: int, choice: str) -> Frame:
    return await visitor.ask("choose_stand_in", match=match, seat=seat, for_seat=for_seat, choice=choice)


@pytest.mark.parametrize("seats", [3, 4])
async def test_each_open_seat_is_joined_or_filled_and_the_last_starts_the_match(served: Served, seats: int) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    match = await create(ann, OPEN, ME, *(OPEN,) * (seats - 2), game="battlesheep", setup=f"seats={seats}")
    for visitor in (ann, ben):
        await visitor.say("watch", match=match)
    assert (await ben.ask("join", match=match, seat=2))["type"] == "accepted"
    assert (await ann.ask("join", match=match, seat=2))["code"] == Code.SEAT_TAKEN
    for seat in [seat for seat in range(seats) if seat not in (1, 2)]:
        assert (await ann.ask("fill_seat", match=match, seat=seat, level=1))["type"] == "accepted"
    await ben.hear_event("started")
    assert (await ann.hear_until("turn"))["seat"] == 1


async def test_forced_passes_are_sent_with_the_ply_before_them(served: Served) -> None:
    (ann, ben, _), match = await begin_sheep(served, TWO_ARE_SHUT_IN, 3)
    answer = await ann.ask("play", match=match, seat=0, move="b1-c1:8")
    for visitor in (ben, await served.visitor()):
        await visitor.say("watch", match=match, since=answer["seq"] - 1)
        missed = await visitor.hear_until("match_events")
        assert [(told["event"]["seat"], told["event"]["forced"]) for told in missed["events"]] == [
            (0, False),
            (1, True),
            (2, True),
        ]
    (turn,) = [frame for frame in ann.read if frame["type"] == "turn" and frame["seq"] == answer["seq"] + 2]
    assert turn["seat"] == 0


async def test_a_bot_plays_on_for_a_player_who_resigned(served: Served) -> None:
    (ann, ben, cat), match = await begin_sheep(served, WIDE_FOR_THREE, 3)
    await ann.ask("resign", match=match, seat=0)
    left = await ben.hear_event("left")
    assert (left["event"], left["to_move"]) == ({"type": "left", "seat": 0, "reason": "resignation"}, 0)
    assert (await ann.ask("play", match=match, seat=0, move="a1-d1:8"))["code"] == Code.SEAT_LEFT
    await vote(ben, match, 1, 0, "bot")
    await vote(cat, match, 2, 0, "skip")
    stood_in = await ann.hear_event("stood_in")
    assert stood_in["event"] == {"type": "stood_in", "seat": 0, "choice": "bot", "level": 4}
    moved = await ben.hear_event("moved")
    assert (moved["event"]["seat"], moved["event"]["forced"]) == (0, False)
    assert served.bots.requests[-1].level == 4
    assert (await ben.hear_until("turn"))["seat"] == 1


async def test_a_skipped_seat_passes_and_the_bots_after_it_play_on(served: Served) -> None:
    ann, ben, cat = [await served.visitor() for _ in range(3)]
    match = await create(
        ann, ME, OPEN, OPEN, BOT, game="battlesheep", setup="r16,0,0,0/b16,0,0,0/g16,0,0,0/y16,0,0,0 r 4"
    )
    for visitor in (ben, cat):
        await visitor.ask("join", match=match)
    eve = await served.visitor()
    await eve.say("watch", match=match)
    await cat.ask("resign", match=match, seat=2)
    for seat, voter in enumerate((ann, ben)):
        await vote(voter, match, seat, 2, "skip")
    await play_moves((ann, ben), match, "a1-d1:8", "a2-d2:8")
    seen = [(await eve.hear_event("moved"))["event"] for _ in range(4)]
    assert [(event["seat"], event["forced"]) for event in seen] == [(0, False), (1, False), (2, True), (3, False)]
    assert served.bots.requests[-1].moves == ("a1-d1:8", "a2-d2:8", "pass")


async def test_an_open_vote_survives_a_restart(serve: Serve) -> None:
    served = await serve()
    (ann, ben, cat), match = await begin_sheep(served, WIDE_FOR_THREE, 3)
    await ann.ask("resign", match=match, seat=0)
    await vote(ben, match, 1, 0, "skip")
    again: Served = await serve()
    eve, cat = await again.visitor(), await again.visitor(cat.token)
    await eve.say("watch", match=match)
    await vote(cat, match, 2, 0, "skip")
    assert (await eve.hear_event("stood_in"))["event"]["choice"] == "skip"
    assert (await eve.hear_event("moved"))["event"]["forced"] is True


async def test_a_spectator_of_tile_placement_gets_the_ground_and_then_the_board(served: Served) -> None:
    (ann, ben), match = await begin_sheep(served, "opening=tiles", 2)
    for ply in range(8):
        player = (ann, ben)[ply % 2]
        moves = (await player.hear_until("turn"))["moves"]
        corner, far = next((corner, next(iter(branch))) for corner, branch in moves.items())
        await player.ask("play", match=match, seat=ply % 2, move=f"{corner} {far}")
    eve = await served.visitor()
    await eve.say("watch", match=match, since=0)
    first = (await eve.hear_until("watching"))["board"]
    views = [event["view"] for event in (await eve.hear_until("match_events"))["events"] if event["view"]]
    assert [len(view["ground"]) for view in views[:-1]] == [0, 4, 8, 12, 16, 20, 24, 28]
    assert views[-1]["ground"] is None
    assert len(first["cells"]) == 91
    assert len(views[-1]["board"]["cells"]) == 32
    late = await served.visitor()
    await late.say("watch", match=match, since=12)
    assert (await late.hear_until("watching"))["board"] == views[-1]["board"]


async def test_a_refused_repetition_is_in_the_turn_and_explained(served: Served) -> None:
    ann, ben, match = await begin(served, game="mingmang")
    last = await play_moves((ann, ben), match, "h2-g2", "a7-b7", "g2-h2")
    turn = await ben.hear_until("turn", seq=last["seq"])
    assert turn["refused"] == {"b7": {"a7": None}}
    refused = await ben.ask("play", match=match, seat=1, move="b7 a7")
    assert refused["code"] == Code.REPETITION_REFUSED
    assert "earlier position" in refused["message"]
