"""Endings over real sockets: posed, judged, counted once, and continued after a new start of the page."""

import pytest

from millrace.protocol import Code
from millrace.server.bots.requests import DrawnEnding, EndingJudgement
from tests.server.in_process_server import Frame, Served
from tests.server.players.accounts.registered_players import ask

POSITION = "..W.....B...W....BWB.... b 0 0"
WIN = DrawnEnding(POSITION, 1, 2, 0.8)
DRAW = DrawnEnding(".W...W.B..W...W...B...B. w 0 0", 0, None, 0.2)
KEPT = EndingJudgement(1, 1, ("e5-d3",), "b2-g4", 1)
MISTAKE = EndingJudgement(1, 0, ("d2-c3xg7",), "g4-c3", None)
WON = EndingJudgement(1, 1, ("d2-c3xg7",), "", None)


async def test_a_win_is_played_to_its_end_and_rated(served: Served) -> None:
    served.bots.drawn, served.bots.judgements = (WIN,), [KEPT, WON]
    ann = await served.visitor()
    posed = await ask(ann, "get_ending", game="morris")
    assert (posed["goal"], posed["moves"], posed["seat"], posed["line"]["setup"]) == ("win", 2, 1, POSITION)
    first = await ask(ann, "play_ending", game="morris", ply=0, move="e5-d3")
    assert (first["kept"], first["reply"], first["moves"], first["counted"]) == (True, "b2-g4", 1, False)

    again = await ask(ann, "get_ending", game="morris")
    assert again["line"]["moves"] == ["e5-d3", "b2-g4"], "it goes on where it was left"

    last = await ask(ann, "play_ending", game="morris", ply=2, move="d2-c3xg7")
    assert (last["solved"], last["counted"], last["you"]["solved"]) == (True, True, 1)
    assert last["change"] > 0
    over = await ask(ann, "play_ending", game="morris", ply=3, move="d2-c3xg7")
    assert over["code"] == Code.UNKNOWN_PUZZLE
    assert (await ask(ann, "get_ending", game="morris"))["line"]["moves"] == []


async def test_a_mistake_costs_rating_once_and_can_be_tried_again(served: Served) -> None:
    served.bots.drawn, served.bots.judgements = (WIN,), [KEPT, MISTAKE, MISTAKE, WON]
    ann = await served.visitor()
    await ask(ann, "get_ending", game="morris")
    await ask(ann, "play_ending", game="morris", ply=0, move="e5-d3")
    told = await ask(ann, "play_ending", game="morris", ply=2, move="d2-a1")
    assert (told["kept"], told["reached"], told["keeping"], told["counted"]) == (False, 0, ["d2-c3xg7"], True)
    assert told["change"] < 0
    again = await ask(ann, "play_ending", game="morris", ply=2, move="d2-a1")
    assert (again["counted"], again["change"], again["you"]) == (False, 0, told["you"])
    assert (await ask(ann, "get_ending", game="morris"))["counted"] is True
    solved = await ask(ann, "play_ending", game="morris", ply=2, move="d2-c3xg7")
    assert (solved["solved"], solved["counted"], solved["you"]) == (True, False, told["you"])


async def test_a_goal_and_a_fresh_ending_are_chosen(served: Served) -> None:
    served.bots.drawn = (WIN, DRAW)
    ann = await served.visitor()
    posed = await ask(ann, "get_ending", game="morris", goal="draw")
    assert (posed["goal"], posed["moves"], posed["seat"]) == ("draw", 10, 0)
    assert (await ask(ann, "get_ending", game="morris", goal="win"))["goal"] == "win"
    served.bots.drawn = (DRAW,)
    assert (await ask(ann, "get_ending", game="morris"))["goal"] == "win", "the present one"
    assert (await ask(ann, "get_ending", game="morris", fresh=True))["goal"] == "draw"
    refused = await ask(ann, "get_ending", game="morris", goal="win")
    assert refused["code"] == Code.UNKNOWN_PUZZLE


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "mingmang", "ply": 0, "move": "a1-a2"}, Code.UNKNOWN_PUZZLE),
        ({"game": "chess", "ply": 0, "move": "a1-a2"}, Code.UNKNOWN_PUZZLE),
        ({"game": "morris", "ply": 2, "move": "e5-d3"}, Code.ILLEGAL_MOVE),
        ({"game": "morris", "ply": 0, "move": "zz"}, Code.BAD_MOVE),
        ({"game": "morris", "ply": 0, "move": "a1-a4"}, Code.ILLEGAL_MOVE),
        ({"game": "morris", "ply": -1, "move": "e5-d3"}, Code.MALFORMED),
    ],
)
async def test_invalid_moves_are_refused(served: Served, fields: Frame, code: Code) -> None:
    served.bots.drawn = (WIN,)
    ann = await served.visitor()
    await ask(ann, "get_ending", game="morris")
    assert (await ask(ann, "play_ending", **fields))["code"] == code


async def test_without_tables_there_are_no_endings(served: Served) -> None:
    served.bots.drawn = ()
    ann = await served.visitor()
    assert (await ask(ann, "get_ending", game="morris"))["code"] == Code.UNKNOWN_PUZZLE
    assert (await ask(ann, "get_ending", game="mingmang"))["code"] == Code.UNKNOWN_PUZZLE


async def test_a_position_that_the_tables_no_longer_know_is_refused(served: Served) -> None:
    served.bots.drawn, served.bots.judgements = (WIN,), [None]
    ann = await served.visitor()
    await ask(ann, "get_ending", game="morris")
    told = await ask(ann, "play_ending", game="morris", ply=0, move="e5-d3")
    assert told["code"] == Code.UNAVAILABLE
