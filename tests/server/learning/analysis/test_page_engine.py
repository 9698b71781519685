"""The engine in the page, as the server supplies it: modules at addresses of their own, and lines to search."""

import gzip
from base64 import b64decode

import pytest

from millrace.engine.game import Game, Start
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.engine.wasm import module_files
from millrace.protocol import Code
from tests.server.in_process_server import Frame, Served
from tests.server.players.accounts.registered_players import ask, register
from tests.server.web.get_requests import get
from tests.server.web.two_players import begin_unwatched as begin

MODULE = b"\0asm\1\0\0\0" * 100


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """The module that the kernel cache has for every game; none while the list is empty."""
    made: list[bytes] = []

    def find(_game: Game, _start: Start) -> bytes | None:
        return made[0] if made else None

    monkeypatch.setattr(module_files, "find_module", find)
    return made


async def ask_line(served: Served, **line: object) -> Frame:
    return await ask(await served.visitor(), "get_engine_line", line=line)


async def test_a_module_is_served_as_soon_as_it_is_made(served: Served, made: list[bytes]) -> None:
    assert (await ask_line(served, game="morris"))["module"] is None
    made.append(MODULE)
    address = (await ask_line(served, game="morris"))["module"]
    status, headers, body = await get(served, address)
    assert (status, gzip.decompress(body)) == (200, MODULE)
    assert headers["Content-Type"] == "application/wasm"
    assert headers["Content-Encoding"] == "gzip"
    assert "immutable" in headers["Cache-Control"]
    status, headers, _ = await get(served, address.replace(address.split(".")[1], "0" * 16))
    assert status == 404
    assert "immutable" not in headers["Cache-Control"]
    assert (await get(served, "/engine/chess.0123456789abcdef.wasm"))[0] == 404


@pytest.mark.parametrize(
    ("game", "setup", "moves"),
    [
        ("morris", "WW............WBB....W.B b 0 0 7 flying=off", ("g1-d1",)),
        ("mingmang", "", ("pass",)),
        ("battlesheep", "r3,0,b3 r 2", ("a1-b1:2",)),
    ],
)
async def test_a_line_is_described_in_the_arrays_of_its_module(
    served: Served, made: list[bytes], game: str, setup: str, moves: tuple[str, ...]
) -> None:
    made.append(MODULE)
    end = State.from_moves(find_game(game), setup, moves)
    start = end.start
    described = await ask_line(served, game=game, setup=setup, moves=moves)
    assert {name: b64decode(content) for name, content in described["board"].items()} == {
        name: array.tobytes() for name, array in start.board._asdict().items()
    }
    assert b64decode(described["words"]) == start.words.tobytes()
    assert (described["seats"], described["first_seat"]) == (start.seats, start.seat)
    assert described["quiet_plies"] == start.quiet_plies
    assert tuple(described["moves"]) == end.moves
    assert tuple(described["clicks"]) == end.geometry.click_names


@pytest.mark.parametrize(("game", "setup"), [("morris", "judged=200"), ("battlesheep", "opening=tiles")])
async def test_what_a_module_cannot_play_stays_with_the_server(
    served: Served, made: list[bytes], game: str, setup: str
) -> None:
    made.append(MODULE)
    assert (await ask_line(served, game=game))["module"] is not None
    assert (await ask_line(served, game=game, setup=setup))["module"] is None


async def test_a_position_that_is_being_played_is_not_described(served: Served, made: list[bytes]) -> None:
    made.append(MODULE)
    ann, ben = await register(served, "Ann_Miller"), await register(served, "Ben_Miller")
    played = await begin(ann, ben, clock={"initial_ms": 300_000})
    for player, seat, move in ((ann, 0, "d6"), (ben, 1, "d2")):
        await ask(player, "play", match=played, seat=seat, move=move)
    line = {"game": "morris", "moves": ["d6", "d2"]}
    assert (await ask(ann, "get_engine_line", line=line))["code"] == Code.BEING_PLAYED
