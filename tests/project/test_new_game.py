"""The package that `millrace new-game` writes passes its tests and is served, as `docs/adding_a_game.md` says."""

import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest

from millrace.client import ME, RefusedError, bot, connect
from millrace.engine.kernel_cache import VARIABLE, kernels_folder
from millrace.protocol import Code
from millrace.server.app.new_game import write_package
from tests.project.repository import ROOT, read, shell_blocks
from tests.serving import PATIENCE_S, ServerProcess

PAGE = "docs/adding_a_game.md"
STEPS = shell_blocks(PAGE)[0].splitlines()
"""Ends with running the game's tests, and with serving it."""
PASSED = re.compile(r"\d+ passed")


def add_installed(name: str, folder: Path) -> Path:
    """Write a game's package to a folder that looks like one of installed packages, and return where its rules are."""
    write_package(name, folder)
    described = folder / f"{name}-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[millrace.games]\n{name} = {name}:GAME\n")
    return folder / name / "rules.py"


def put_kernels(rules: Path) -> None:
    """Change rules in plain Python as the page says."""
    assert "put `@kernel` above each function" in read(PAGE)
    text = re.sub("^def ", "@kernel\ndef ", rules.read_text("utf-8"), flags=re.MULTILINE)
    rules.write_text("from millrace.engine.bits import kernel\n" + text)


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """Return what a command prints. Raises: AssertionError if it fails."""
    done = subprocess.run(
        [*map(str, command)],
        cwd=cwd,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=2 * PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.usefixtures("processes")
def test_a_new_game_passes_the_tests_that_it_comes_with(tmp_path: Path) -> None:
    game = tmp_path / "game"
    add_installed("noughts", game)
    path = os.pathsep.join(map(str, (game, ROOT)))
    command = (sys.executable, "-m", "pytest", "-v", "-p", "no:cacheprovider", "-p", "millrace.pytest_plugin", game)
    said = run(*command, cwd=tmp_path, PYTHONPATH=path)
    for name in ("test_a_bot_plays_it", "test_the_terminal_draws_it", "test_its_kernels_are_kept_for_the_next_start"):
        assert re.search(rf"{name}\[noughts\] PASSED", said), said


@pytest.fixture
def faulty_server(processes: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    """A server with a game whose kernels are fine as Python and do not compile, and one of which a rule fails."""
    rules = add_installed("crosses", tmp_path / "other")
    text, move = rules.read_text("utf-8"), "    return Position(position.other"
    assert move in text
    rules.write_text(text.replace(move, f"    assert move != 6\n{move}"))
    rules = add_installed("noughts", tmp_path / "game")
    put_kernels(rules)
    text = rules.read_text("utf-8")
    rules.write_text(text.replace("    ranks[:] = 1\n", "    ranks[:] = 1\n    str(ranks.tolist()).title()\n"))
    paths = (*map(str, (tmp_path / "game", tmp_path / "other")), os.environ.get("PYTHONPATH", ""))
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(paths))
    with ServerProcess(tmp_path / "data", "--bot-workers", "1") as process:
        yield process


def health_of(server: ServerProcess) -> tuple[str, str, list[str]]:
    """Return the state of a server and of its bots, and the first word of each trouble."""
    with urlopen(f"{server.url}/health") as answer:
        said = json.load(answer)
    return said["status"], said["bots"], sorted(text.split()[0] for text in said["trouble"])


async def test_a_game_with_faulty_code_has_no_bots_and_stops_no_others(faulty_server: ServerProcess) -> None:
    faulty_server.wait_for_bots()
    crosses, noughts = sorted(line for line in faulty_server.output if "a game has no bots" in line)
    assert "The code of crosses is faulty. AssertionError()." in crosses
    assert "The search of noughts cannot be compiled." in noughts
    assert "tolist" in noughts
    assert ("package=crosses" in crosses, "package=noughts" in noughts) == (True, True)
    assert health_of(faulty_server) == ("degraded", "ready", ["Crosses", "Noughts"])
    async with connect(faulty_server.address) as me:
        with pytest.raises(RefusedError) as refused:
            await me.create("noughts", [ME, bot(1)])
        assert refused.value.code is Code.BOTS_UNAVAILABLE
        assert "code of this game is faulty" in refused.value.message
        match = (await me.create("noughts", [ME, ME])).match
        async with me.watch(match) as feed:
            async for turn in feed.turns():
                await turn.play(turn.moves[0])
            assert (await feed.result()).reason == "row"
        match = (await me.create("morris", [bot(1), ME])).match
        async with me.watch(match) as feed:
            assert await feed.my_turn() is not None
    assert "bots cannot start" not in "".join(faulty_server.output)


class Stranger:
    """Somebody with a new environment in an empty folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.programs = folder / ".venv" / "bin"
        self.kernels = folder / "kernels"
        """A copy of the cache, to which no other process writes."""
        known = kernels_folder()
        assert known is not None
        shutil.copytree(known, self.kernels / known.name)
        run(sys.executable, "-m", "venv", ".venv", cwd=folder)
        self.run(f"pip install --quiet '{ROOT}[server]'")

    def run(self, line: str) -> str:
        """Run a line of a page in the environment."""
        path = os.pathsep.join([str(self.programs), os.environ["PATH"]])
        return run("sh", "-c", line, cwd=self.folder, PATH=path, PYTHONPATH="", **{VARIABLE: str(self.kernels)})

    def serve_until(self, words: str) -> list[str]:
        """Run a server until it prints these words, and return its lines."""
        command = [
            str(self.programs / "millrace"),
            "serve",
            "--port",
            "0",
            "--no-tablebases",
            "--no-browser-engine",
            "--data-dir",
            "data",
        ]
        environment = {**os.environ, "PYTHONPATH": "", VARIABLE: str(self.kernels)}
        said: list[str] = []
        with subprocess.Popen(
            command, cwd=self.folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        ) as server:
            assert server.stdout is not None
            for line in server.stdout:
                said.append(line)
                if words in line:
                    break
            server.terminate()
            said += server.stdout
        assert any(words in line for line in said), said
        return said


@pytest.fixture(scope="module")
def stranger(processes: None, tmp_path_factory: pytest.TempPathFactory) -> Stranger:
    """A stranger who has followed the page until the game is served."""
    stranger = Stranger(tmp_path_factory.mktemp("stranger"))
    for line in STEPS[:-2]:
        stranger.run(line)
    return stranger


@pytest.mark.slow
def test_the_page_leads_a_stranger_from_an_empty_folder_to_a_game_in_plain_python(stranger: Stranger) -> None:
    assert PASSED.search(stranger.run(STEPS[-2]))
    assert STEPS[-1] == "millrace serve"
    stranger.serve_until("Bots play Tictactoe")


@pytest.mark.slow
def test_its_kernels_are_compiled_once_and_bots_of_other_games_do_not_wait(stranger: Stranger) -> None:
    rules = stranger.folder / "tictactoe" / "tictactoe" / "rules.py"
    put_kernels(rules)
    # Kernels of its own, so that no earlier run has compiled them.
    unique = f"return FULL + ranks[0] // {10**9 + time.time_ns() % 10**9}"
    rules.write_text(rules.read_text("utf-8").replace("return FULL", unique))
    said = "".join(line for line in stranger.serve_until("Bots are ready") if line.startswith("Bots play"))
    assert said.index("Nine Men's Morris") < said.index("Tictactoe")
    compiled = set(stranger.kernels.rglob("*.kernel"))
    stranger.serve_until("Bots are ready")
    assert set(stranger.kernels.rglob("*.kernel")) == compiled
    assert PASSED.search(stranger.run(STEPS[-2]))
