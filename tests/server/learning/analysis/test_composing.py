"""Positions set up by hand: their texts, and impossible positions."""

import pytest

from millrace.protocol import Code
from tests.server.in_process_server import Served
from tests.server.players.accounts.registered_players import ask

MORRIS = {"game": "morris", "reserves": [7, 8]}


async def test_pieces_become_a_position_of_each_game(served: Served) -> None:
    ann = await served.visitor()
    piles = [["d6", 0, 1], ["a7", 0, 1], ["f4", 1, 1]]
    told = await ask(ann, "compose", **MORRIS, piles=piles, to_move=1)
    assert told["position"] == "W...W........B.......... b 7 8"
    kept = await ask(ann, "compose", **MORRIS, setup="flying=off", piles=piles)
    assert kept["position"] == "W...W........B.......... w 7 8 flying=off"
    told = await ask(ann, "compose", game="mingmang", piles=[["a1", 0, 1], ["h8", 1, 1]], to_move=1)
    assert told["position"] == "7w/8/8/8/8/8/8/b7 w 0"
    pasture = "/".join(["0,0,0,0,0"] * 4)
    told = await ask(ann, "compose", game="battlesheep", setup=f"{pasture} r 2", piles=[["a1", 0, 16], ["b1", 1, 5]])
    assert told["position"].startswith("r16,b5,0,0,0/")


@pytest.mark.parametrize(
    "fields",
    [
        {"piles": [["d6", 0, 1], ["z9", 0, 1]]},
        {"piles": [["d6", 2, 1]]},
        {"piles": [["d6", 0, 2]]},
        {"piles": [["d6", 0, 0]]},
        {"reserves": [9]},
        {"reserves": [10, 9]},
        {"piles": [["d6", 0, 1]], "reserves": [9, 9]},
        {"to_move": 3},
        {"setup": "nonsense"},
        {"game": "mingmang", "reserves": []},
        {"game": "battlesheep", "setup": "seats=3", "piles": [["c2", 0, 17]], "reserves": []},
    ],
)
async def test_an_impossible_position_is_refused(served: Served, fields: dict[str, object]) -> None:
    command = {"game": "morris", "piles": [], "reserves": [9, 9], "to_move": 0, **fields}
    assert (await ask(await served.visitor(), "compose", **command))["code"] == Code.BAD_SETUP


async def test_an_unknown_game_is_refused(served: Served) -> None:
    assert (await ask(await served.visitor(), "compose", game="chess"))["code"] == Code.UNKNOWN_GAME
