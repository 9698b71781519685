"""A game that Millrace does not ship is one folder: installed as a plug-in, it is played through the whole stack.

The folder is `tests/toy`, which looks like the folder of installed packages: the game and its entry point. Nothing else
knows of it. The page plays it in `tests/browser/test_fourth_game.py`; `test_new_game.py` begins with a new package.
"""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from millrace.client import ME, OPEN, bot, connect
from millrace.engine.faults import GameFaultError
from millrace.engine.games import PLUG_IN_GROUP, by_name, morris
from tests.client.terminal.screens import screened
from tests.client.terminal.typist import seated
from tests.project.repository import ROOT
from tests.serving import PATIENCE_S, ServerProcess

TOY = "three_in_a_row"
OTHER_MORRIS = replace(morris.GAME)
PLUG_INS = str(ROOT / "tests" / "toy")


@pytest.fixture(scope="module")
def plug_ins() -> Iterator[None]:
    """Let every process that is started see the plug-in as installed."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PYTHONPATH", os.pathsep.join(filter(None, [PLUG_INS, os.environ.get("PYTHONPATH", "")])))
        yield


@pytest.fixture(scope="module")
def toy_server(processes: None, plug_ins: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with ServerProcess(tmp_path_factory.mktemp("toy")) as process:
        yield process


def run(*command: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE_S, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_no_file_of_millrace_names_the_toy_game() -> None:
    for folder in ("engine", "server", "client"):
        assert not [path for path in (ROOT / folder).rglob("*.*s*") if TOY in path.read_text(errors="ignore")]


@pytest.mark.slow
@pytest.mark.usefixtures("plug_ins", "processes")
def test_it_is_counted_and_searched_from_the_command_line() -> None:
    assert run("millrace.server.app.cli", "perft", TOY, "--depth", "5").splitlines()[-1] == "524160"
    line = "position startpos moves a1 d4 b1 d3\ngo depth 2\nquit\n"
    engine = subprocess.run(
        [sys.executable, "-m", "millrace.server.app.cli", "engine", TOY],
        input=line,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=True,
    )
    assert engine.stdout.splitlines()[-1].startswith("bestmove c1")


@pytest.mark.usefixtures("plug_ins", "processes")
def test_its_kernels_pass_the_tests_of_every_game() -> None:
    run("pytest", "-q", "--numprocesses=0", "-p", "no:cacheprovider", "-k", TOY, "tests/engine/test_kernels.py")


async def test_people_play_it_and_its_record_outlives_the_server(toy_server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(toy_server.address) as ann, connect(toy_server.address) as ben:
        assert TOY in {game.name for game in ann.games}
        match = (await ann.create(TOY, [ME, OPEN])).match
        await ben.join(match)
        for ply, move in enumerate(("a1", "d4", "b1", "d3")):
            await (ann, ben)[ply % 2].play(match, ply % 2, move)
        toy_server.kill()
        toy_server.start()
        await ann.play(match, 0, "c1")
        async with ben.watch(match) as feed:
            ended = await feed.result()
            assert (ended.ranks, ended.reason) == ((1, 2), "row")
            assert feed.view.moves == ("a1", "d4", "b1", "d3", "c1")
            assert {cell: pile.seat for cell, pile in feed.view.piles.items()} == {
                **dict.fromkeys(("a1", "b1", "c1"), 0),
                **dict.fromkeys(("d3", "d4"), 1),
            }


@pytest.mark.slow
async def test_bots_fill_its_seats(toy_server: ServerProcess) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(toy_server.address) as ann:
        match = (await ann.create(TOY, [ME, bot(2), bot(3)], setup="seats=3")).match
        async with ann.watch(match) as feed:
            async for turn in feed.turns():
                await turn.play(turn.moves[0])
            assert (await feed.result()).reason in ("row", "full")


async def test_the_terminal_draws_and_plays_it_by_lines(toy_server: ServerProcess) -> None:
    async with seated(toy_server) as ann:
        await ann.type(f"here {TOY}", "is to move")
        for move in ("a1", "d4", "b1", "d3"):
            await ann.type(move, rf"\d\. \w+: {move}")
        await ann.type("c1", r"won against \w+: ")


async def test_the_full_screen_draws_and_plays_it(toy_server: ServerProcess) -> None:
    async with screened(toy_server, size=(80, 24)) as screen:
        await screen.type(f"here {TOY[:5]}", "is to move")
        for ply, cell in enumerate(("a1", "d4", "b1", "d3", "c1"), 1):
            await screen.click_cell(cell)
            await screen.see(rf"{ply}\. \w+: {cell}")
        await screen.see("won against")


def test_a_plug_in_cannot_take_the_name_of_another_game() -> None:
    other = EntryPoint("morris", "tests.project.test_fourth_game:OTHER_MORRIS", PLUG_IN_GROUP)
    with pytest.raises(GameFaultError, match="already a game called morris, and the package tests"):
        by_name([other])


def test_a_plug_in_that_ends_the_program_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "ending.py").write_text("raise SystemExit\n")
    monkeypatch.syspath_prepend(tmp_path)
    with pytest.raises(GameFaultError, match="package ending cannot be loaded"):
        by_name([EntryPoint("ending", "ending:GAME", PLUG_IN_GROUP)])


@pytest.mark.usefixtures("processes")
def test_commands_name_the_package_of_a_game_that_cannot_be_loaded(tmp_path: Path) -> None:
    described = tmp_path / "broken_game-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: broken-game\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{PLUG_IN_GROUP}]\nbroken = broken:GAME\n")
    (tmp_path / "broken.py").write_text("raise RuntimeError('it broke')\n")
    paths = os.pathsep.join([str(tmp_path), os.environ.get("PYTHONPATH", "")])
    for arguments in (("serve", "--port", "0", "--data-dir", str(tmp_path / "data")), ("position", "morris")):
        done = subprocess.run(
            (sys.executable, "-m", "millrace.server.app", *arguments),
            env={**os.environ, "PYTHONPATH": paths},
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 1, done.stderr
        assert done.stderr == (
            "millrace: The game of the package broken-game cannot be loaded. RuntimeError('it broke'). "
            "Repair or uninstall the package.\n"
        )
