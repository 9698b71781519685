"""Openings over real sockets and by GET: counts, the book, names, and fair play."""

import json
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from millrace.protocol import Code, ModerationAction
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.moderation.console import Console, console_of
from tests.server.players.accounts.registered_players import ask, register
from tests.server.ratings.rated_play import play
from tests.server.web.get_requests import fetch
from tests.server.web.two_players import begin_unwatched as begin

START = {"game": "morris"}


@pytest.fixture
async def console(served: Served, tmp_path: Path) -> AsyncIterator[Console]:
    async with console_of(tmp_path) as opened:
        yield opened


async def explore(visitor: Visitor, **fields: object) -> Frame:
    return await ask(visitor, "explore_opening", line={**START, "moves": fields.pop("moves", [])}, **fields)


async def explored_with(visitor: Visitor, counted: int, **fields: object) -> Frame:
    """Return what is known as soon as so many matches are counted."""
    while True:
        told = await explore(visitor, **fields)
        if sum(move["won"] + move["drawn"] + move["lost"] for move in told["moves"]) == counted:
            return told


async def test_the_answer_has_the_books_evaluation_and_names(served: Served) -> None:
    told = await explore(await served.visitor())
    assert (told["to_move"], told["opening"], told["matches"]) == (0, "", [])
    first = told["moves"][0]
    assert (first["move"], first["opening"], first["clicks"]) == ("d6", "Four-way point", ["d6"])
    assert sorted(first["alike"]) == ["b4", "d2", "f4"]
    assert first["book_matches"] > 100
    assert first["expectation"] == 0.5
    assert 0.4 < first["book_score"] < 0.6
    replied = await explore(await served.visitor(), moves=["f4", "b4"])
    assert replied["opening"] == "Four-way point: opposite reply"


async def test_matches_are_counted_soon_after_their_end_with_their_results(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    match = await play([ann, ben], rated=False)
    told = await explored_with(ann, 1, moves=["a7"])
    (reply,) = [move for move in told["moves"] if move["latest"]]
    assert (reply["won"], reply["drawn"], reply["lost"], reply["latest"]) == (1, 0, 0, match)
    assert [each["match"] for each in told["matches"]] == [match]
    assert [each["name"] for each in told["matches"][0]["players"]] == ["Anna", "Benno"]
    started = await explored_with(ann, 1, people=True)
    assert [move["lost"] for move in started["moves"] if move["latest"]] == [1]


async def test_a_void_match_is_subtracted(served: Served, console: Console) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    match = await play([ann, ben], rated=True)
    await explored_with(ann, 1)
    await console.do(ModerationAction.VOID, match=match)
    await explored_with(ann, 0)


async def test_every_known_move_is_legal_even_with_more_seats(served: Served) -> None:
    told = await ask(await served.visitor(), "explore_opening", line={"game": "battlesheep", "setup": "seats=3"})
    assert (told["type"], told["moves"]) == ("opening_explored", [])


async def test_openings_are_listed_with_the_positions_to_practise_them_from(served: Served) -> None:
    told = await ask(await served.visitor(), "get_openings", game="morris")
    by_name = {opening["name"]: opening for opening in told["openings"]}
    assert by_name["Four-way point"] == {
        "name": "Four-way point",
        "moves": ["d6"],
        "position": "....W................... b 8 9",
        "to_move": 1,
    }
    assert (await ask(await served.visitor(), "get_openings", game="mingmang"))["openings"] == []
    assert (await ask(await served.visitor(), "get_openings", game="chess"))["code"] == Code.UNKNOWN_GAME


async def test_a_get_returns_the_same(served: Served) -> None:
    ann = await served.visitor()
    status, headers, body = await fetch(served, "/openings/morris.json?moves=d6+f4")
    assert (status, headers["Content-Type"], headers["Access-Control-Allow-Origin"]) == (200, "application/json", "*")
    told = await explore(ann, moves=["d6", "f4"])
    assert json.loads(body) == {name: value for name, value in told.items() if name not in ("id", "type")}
    assert (await fetch(served, "/openings/chess.json"))[0] == 404
    status, _, text = await fetch(served, "/openings/morris.json?moves=d6+d6")
    assert (status, text) == (400, "d6 is not allowed here.\n")
    assert (await fetch(served, f"/openings/morris.json?moves={'d6+' * 401}"))[0] == 400
    assert (await fetch(served, "/openings/morris.json?position=nonsense"))[0] == 400


async def test_a_player_in_a_rated_match_gets_no_help(served: Served) -> None:
    ann, ben = await register(served, "Anna"), await register(served, "Benno")
    await begin(ann, ben, rated=True)
    assert (await explore(ann))["code"] == Code.BEING_PLAYED
    token = (await ask(ann, "create_token", label="bot", scopes=["read"]))["token"]
    status, _, text = await fetch(served, "/openings/morris.json", Authorization=f"Bearer {token}")
    assert (status, "rated match" in text) == (403, True)
    assert (await fetch(served, "/openings/mingmang.json", Authorization=f"Bearer {token}"))[0] == 200
