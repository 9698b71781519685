"""Positions in the notation of other programs, by command and by GET."""

import asyncio
from urllib.parse import quote

import pytest

from tests import commands
from tests.server.in_process_server import Served
from tests.server.ratings.rated_play import play
from tests.server.web.get_requests import fetch

OLDER = " 0  +16  0\n       0  -16"
SHEEP = "0,b16,0,./.,.,0,r16 r 2"
FEN = "********/**@****@/O******O w p p 2 7 2 7 0 0 0 0 0 0 0 0 3"
TEXT = "WW.B.........B.......... w 7 7"


@pytest.mark.parametrize(
    ("arguments", "printed"),
    [
        (["morris", FEN], TEXT),
        (["morris", TEXT, "--notation", "fen"], FEN),
        (["morris", TEXT, "--notation", "packed"], "0x1980C00308020000 w 7 7"),
        (["morris", "P W WEEEEEEWEEBEEEEBEEEEEEEE", "--notation", "fen"], FEN),
        (["morris", FEN, "--moves", "g7 xf4 d2"], "WWWB...............B.... w 6 6"),
        (["morris", FEN, "--moves", "G7:F4 D2"], "WWWB...............B.... w 6 6"),
        (["battlesheep", SHEEP, "--notation", "older"], OLDER),
        (["battlesheep", OLDER], "0,b16,0,./.,.,0,r16 r 2"),
    ],
)
async def test_the_command_writes_a_position_in_any_notation(arguments: list[str], printed: str) -> None:
    assert (await asyncio.to_thread(commands.output_of, "position", *arguments)).rstrip("\n") == printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["mingmang", "--notation", "fen"], "Ming Mang has no notation 'fen' here; it has only its own."),
        (["battlesheep", "seats=3", "--notation", "older"], "for two seats only"),
        (["morris", "nonsense"], "A position has 24 points"),
    ],
)
async def test_an_inexpressible_position_is_explained_in_one_line(arguments: list[str], words: str) -> None:
    output = await asyncio.to_thread(commands.output_of, "position", *arguments, code=2)
    assert words in output
    assert len(output.splitlines()) == 1


async def test_a_position_is_returned_in_any_notation(served: Served) -> None:
    _, headers, text = await fetch(served, f"/position.txt?game=battlesheep&setup={quote(SHEEP)}&notation=older")
    assert (headers["Content-Type"], text) == ("text/plain; charset=utf-8", f"{OLDER}\n")
    _, _, text = await fetch(served, f"/position.txt?game=battlesheep&setup={quote(OLDER)}")
    assert text == f"{SHEEP}\n"
    _, _, text = await fetch(served, f"/position.txt?game=morris&setup={quote(FEN)}")
    assert text == f"{TEXT}\n"


async def test_a_position_of_a_match_is_returned_after_any_ply(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False)
    _, _, text = await fetch(served, f"/match/{match}/position.txt?ply=1&notation=fen")
    assert text == "********/********/*******O b p p 1 8 0 9 0 0 0 0 0 0 0 0 1\n"
    _, _, text = await fetch(served, f"/match/{match}/position.txt")
    assert text == "WW............B........B w 7 7\n"


async def test_a_match_in_progress_withholds_its_latest_plies(served: Served) -> None:
    match = await play([await served.visitor(), await served.visitor()], rated=False, is_resigned=False)
    assert (await fetch(served, f"/match/{match}/position.txt"))[2] == "W....................... b 8 9\n"
    assert (await fetch(served, f"/match/{match}/position.txt?ply=4"))[0] == 400


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/match/nowhere/position.txt", 404),
        ("/position.txt", 400),
        ("/position.txt?game=chess", 400),
        ("/position.txt?game=morris&setup=nonsense", 400),
        ("/position.txt?game=morris&notation=older", 400),
    ],
)
async def test_invalid_requests_are_refused_with_a_reason(served: Served, path: str, status: int) -> None:
    answered, _, words = await fetch(served, path)
    assert answered == status
    assert words.strip()
