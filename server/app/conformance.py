"""The tests that every game passes in the programs: engine, list of games, network, page and terminal.

A package with a game collects them with `from millrace.server.app.conformance import *`, beside those of its rules
(`engine.conformance`). They start one server, which is found by its public interfaces.
"""

import asyncio
import json
import os
import re
import subprocess
import sys
from asyncio.subprocess import PIPE, STDOUT
from collections.abc import Iterator
from pathlib import Path
from queue import Queue
from urllib.request import Request, urlopen

import pytest

from millrace.client import ME, Connection, bot, connect
from millrace.client.match_view import MatchView
from millrace.engine.book.canonical_form import Canonicalizer
from millrace.engine.game import Game
from millrace.engine.kernel_cache import VARIABLE
from millrace.engine.search import no_clock
from millrace.engine.state import State
from millrace.engine.uci import serve_lines

from ..runtime.child_process import start_child
from ..web.languages import FOLDER, translations
from ..web.translation_format import CONTEXT_END, LANGUAGES
from .commands.child_server import child_server, end_process

__all__ = [
    "served",
    "test_a_bot_plays_it",
    "test_it_is_in_the_list_of_games",
    "test_it_is_played_over_the_network",
    "test_it_starts_where_nothing_is_compiled",
    "test_the_engine_and_its_books_know_it",
    "test_the_page_gets_its_board_and_its_words",
    "test_the_terminal_draws_it",
]

PATIENCE_SECONDS = 600
"""Time for each test; the first bot's move waits until the search is compiled."""
PLIES = 60
"""Maximum plies of the match that is played."""
FIRST_START = """
import sys
from millrace.engine.games import find_game
from millrace.engine.kernel_cache import forbid_compiling
from millrace.engine.levels.warm_up import interpret_all_rules
from millrace.engine.state import State

forbid_compiling()
interpret_all_rules()
state = State.of(find_game(sys.argv[1]), "")
while state.outcome is None and state.ply < 20:
    state = state.play(state.legal_moves[-1])
    state.drawing, state.geometry, state.highlights, state.tallies, State.of(state.game, state.position_text)
"""


@pytest.fixture(scope="module")
def served() -> Iterator[str]:
    """The address of a server that has just been started."""
    with asyncio.Runner() as runner:
        server = child_server()
        address = runner.run(server.__aenter__())
        yield address
        runner.run(server.__aexit__(None, None, None))


def test_it_starts_where_nothing_is_compiled(game: Game, tmp_path: Path) -> None:
    """A server plays before it has compiled anything, and draws what it plays."""
    environment = {**os.environ, VARIABLE: str(tmp_path)}
    command = [sys.executable, "-c", FIRST_START, game.name]
    done = subprocess.run(
        command, env=environment, capture_output=True, text=True, timeout=PATIENCE_SECONDS, check=False
    )
    assert done.returncode == 0, done.stderr


def test_it_is_in_the_list_of_games(game: Game, served: str) -> None:
    """Clients learn of the game, and of its goal in one sentence."""

    async def look() -> None:
        async with _patiently(), connect(served) as me:
            (info,) = (each for each in me.games if each.name == game.name)
            assert (info.title, info.seats, info.seat_names) == (game.title, game.seats, game.seat_names)
            assert info.title, "a game needs a title"
            assert info.description, "a game needs a description for newcomers"

    asyncio.run(look())


def test_the_engine_and_its_books_know_it(game: Game) -> None:
    """The line protocol plays it, and a book covers its positions."""
    before = State.of(game, "")
    moved = before.play(before.legal_moves[0])
    assert Canonicalizer(game).covers(moved)
    inbox, answers = Queue[str | None](), list[str]()
    for line in (f"position startpos moves {before.format_move(before.legal_moves[0])}", "go nodes 1", None):
        inbox.put(line)
    serve_lines(game, inbox, answers.append, no_clock, 1)
    best = answers[-1].removeprefix("bestmove ").split()[0]
    assert best in map(moved.format_move, moved.legal_moves)


def test_it_is_played_over_the_network(game: Game, served: str) -> None:
    """One person plays all seats; what clients see is the position."""

    async def play() -> None:
        async with _patiently(), connect(served) as me:
            view = await _play_all_seats(me, game)
            assert view.created is not None
            state = State.from_moves(game, view.created.setup, view.moves)
            piles = zip(state.geometry.cells, state.drawing.piles, strict=True)
            drawn = {cell.name: (pile.seat, pile.size) for cell, pile in piles if pile is not None}
            assert {name: (pile.seat, pile.size) for name, pile in view.piles.items()} == drawn
            assert (state.outcome is not None) == (view.to_move is None)

    asyncio.run(play())


def test_a_bot_plays_it(game: Game, served: str) -> None:
    """A bot of the easiest level makes the first move of its seat."""

    async def play() -> None:
        async with _patiently(), connect(served) as me:
            plan = [bot(1), *[ME] * (min(game.seats) - 1)]
            match = (await me.create(game.name, plan)).match
            async with me.watch(match) as feed:
                turn = await feed.my_turn()
                assert turn is not None or feed.view.to_move is None
                assert feed.view.moves

    asyncio.run(play())


def test_the_page_gets_its_board_and_its_words(game: Game, served: str) -> None:
    """The site serves the game's page, a picture of its board, and its texts in every language that it brings."""
    assert "<svg" in _get(served, f"/picture/analysis/{game.name}.svg")
    for language in LANGUAGES:
        page = _get(served, f"/analysis/{game.name}", language)
        assert f'<html lang="{language}"' in page
        wanted = {key for key in translations(language)["main"] if key.startswith(f"{game.name}{CONTEXT_END}")}
        if wanted:
            (file,) = re.findall(rf"/static/[^\"]*{FOLDER}{language}.main.json", page)
            assert wanted <= json.loads(_get(served, file)).keys()


def test_the_terminal_draws_it(game: Game, served: str) -> None:
    """`millrace play` draws the board, and plays a move on it."""
    state = State.of(game, "")
    move = state.format_move(state.legal_moves[0])

    async def type_lines() -> None:
        command = (sys.executable, "-m", "millrace.server.app.cli", "play", served, "--plain")
        terminal = await start_child(*command, stdin=PIPE, stdout=PIPE, stderr=STDOUT)
        assert terminal.stdin is not None
        assert terminal.stdout is not None
        try:
            async with _patiently():
                for line, expected in ((f"here {game.name}", "is to move"), (move, f": {move}")):
                    terminal.stdin.write(f"{line}\n".encode())
                    said = ""
                    while expected not in said:
                        more = await terminal.stdout.readline()
                        assert more, f"after {line!r} the terminal ended: {said}"
                        said += more.decode()
        finally:
            await end_process(terminal)

    asyncio.run(type_lines())


async def _play_all_seats(me: Connection, game: Game) -> MatchView:
    match = (await me.create(game.name, [ME] * min(game.seats))).match
    async with me.watch(match) as feed:
        async for turn in feed.turns():
            await turn.play(turn.moves[len(feed.view.moves) % len(turn.moves)])
            if len(feed.view.moves) >= PLIES:
                break
        return feed.view


def _patiently() -> asyncio.Timeout:
    return asyncio.timeout(PATIENCE_SECONDS)


def _get(address: str, path: str, language: str = "en") -> str:
    with urlopen(Request(f"http://{address}{path}", headers={"Accept-Language": language})) as answer:
        content: bytes = answer.read()
        return content.decode()
