"""Real servers on machines that keep bots from starting: people play, everyone is told, and bots play once they can."""

import asyncio
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from subprocess import PIPE, STDOUT
from tempfile import TemporaryDirectory
from urllib.request import urlopen

import pytest

from millrace.client import ME, OPEN, RefusedError, bot, connect
from millrace.protocol import Code
from millrace.server.app.shutdown import ENDED_EARLY
from tests.processes import processes_of_session
from tests.serving import BOTS, CHECKOUT, PATIENCE_S, WELCOME, ServerProcess
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.usefixtures("processes"),
    pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of another process"),
]

CANNOT_START = "bots cannot start"

OBSTACLES = {
    "no temporary folder": """
import tempfile
def _get_default_tempdir(*_, original=tempfile._get_default_tempdir):
    if is_obstructed():
        raise FileNotFoundError(2, "No usable temporary directory found")
    return original()
if "serve" in sys.orig_argv:
    tempfile._get_default_tempdir = _get_default_tempdir
""",
    "no further process": """
import _posixsubprocess
def fork_exec(*arguments, original=_posixsubprocess.fork_exec):
    if is_obstructed():
        raise BlockingIOError(11, "Resource temporarily unavailable")
    return original(*arguments)
if "serve" in sys.orig_argv:
    _posixsubprocess.fork_exec = fork_exec
""",
    "a fork server that dies": """
if is_obstructed() and any("forkserver" in each for each in sys.orig_argv):
    os._exit(9)
""",
    "workers that die at their start": """
if any("forkserver" in each for each in sys.orig_argv):
    os.register_at_fork(after_in_child=lambda: is_obstructed() and os._exit(9))
""",
    "no shared memory": """
import _multiprocessing
class SemLock(_multiprocessing.SemLock):
    def __new__(cls, *arguments, **options):
        if is_obstructed():
            raise PermissionError(13, "Permission denied")
        return super().__new__(cls, *arguments, **options)
if "serve" in sys.orig_argv:
    _multiprocessing.SemLock = SemLock
""",
    "no further thread": """
import threading
def start(*arguments, original=threading._start_new_thread):
    if is_obstructed() and sys._getframe(2).f_code.co_name == "launch_thread":
        raise RuntimeError("can't start new thread")
    return original(*arguments)
if "serve" in sys.orig_argv:
    threading._start_new_thread = start
""",
}
"""Modules `sitecustomize` that act like such a machine while the file `obstructed` exists."""

OBSTRUCTED = """
import os, sys
def is_obstructed():
    return os.path.exists({!r})
"""


def obstruct(folder: Path, monkeypatch: pytest.MonkeyPatch, how: str) -> Path:
    """Have servers meet with an obstacle while the file exists that is returned."""
    file = folder / "obstructed"
    file.touch()
    (folder / "sitecustomize.py").write_text(OBSTRUCTED.format(str(file)) + how)
    monkeypatch.setenv("PYTHONPATH", str(folder), prepend=":")
    return file


def health(server: ServerProcess) -> tuple[str, str]:
    with urlopen(f"{server.url}/health") as answer:
        said = json.load(answer)
    return said["status"], said["bots"]


def in_metrics(server: ServerProcess, name: str) -> float:
    with urlopen(f"{server.url}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return next(float(line.split()[1]) for line in lines if line.startswith(f"{name} "))


async def people_play_and_bots_are_refused(address: str) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(address) as ann, connect(address) as eve:
        match = (await ann.create("morris", [ME, OPEN])).match
        await eve.join(match)
        async with ann.watch(match) as feed:
            turn = await feed.my_turn()
            assert turn is not None
            await turn.play(turn.moves[0])
        with pytest.raises(RefusedError) as refused:
            await ann.create("morris", [ME, bot(1)])
        assert refused.value.code is Code.BOTS_UNAVAILABLE


async def a_bot_plays_after(server: ServerProcess, freed: Callable[[], None]) -> None:
    """Return when a bot has moved that could not, until a function is called."""
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        match = (await ann.create("morris", [bot(1), ME])).match
        async with ann.watch(match) as feed:
            await asyncio.to_thread(wait_until, lambda: health(server) == ("degraded", "unavailable"))
            freed()
            assert await feed.my_turn() is not None


async def a_bot_plays(address: str) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(address) as ann:
        match = (await ann.create("morris", [bot(1), ME])).match
        async with ann.watch(match) as feed:
            assert await feed.my_turn() is not None


@pytest.mark.parametrize(
    "obstacle",
    [
        "no temporary folder",
        *(pytest.param(each, marks=pytest.mark.slow) for each in OBSTACLES if each != "no temporary folder"),
    ],
)
def test_whatever_keeps_bots_from_starting_is_told_once_and_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, obstacle: str
) -> None:
    obstructed = obstruct(tmp_path, monkeypatch, OBSTACLES[obstacle])
    with ServerProcess(tmp_path / "data") as server:
        wait_until(lambda: health(server) == ("degraded", "unavailable"))
        wait_until(lambda: in_metrics(server, "millrace_bots_in_trouble") == 1)
        asyncio.run(people_play_and_bots_are_refused(server.address))
        server.wait_for(CANNOT_START)
        obstructed.unlink()
        server.wait_for(BOTS)
        asyncio.run(a_bot_plays(server.address))
        wait_until(lambda: health(server) == ("ok", "ready"))
        assert sum(CANNOT_START in line for line in server.output) == 1
        assert server.stop() == 0


@pytest.mark.slow
def test_bots_that_die_later_and_cannot_be_replaced_come_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    obstructed = obstruct(tmp_path, monkeypatch, OBSTACLES["a fork server that dies"])
    obstructed.unlink()
    with ServerProcess(tmp_path / "data") as server:
        server.wait_for_bots()
        obstructed.touch()
        for process in set(processes_of_session(server.pid)) - {server.pid}:
            os.kill(process, signal.SIGKILL)
        asyncio.run(a_bot_plays_after(server, obstructed.unlink))
        wait_until(lambda: health(server) == ("ok", "ready"))


AS_ANOTHER_USER = ["setpriv", "--reuid={user}", "--regid={user}", "--clear-groups"]
AS_ANOTHER_USER += [f"--{kind}-caps=-all,+dac_override,+dac_read_search" for kind in ("inh", "ambient")]
"""Limits of processes do not hold for root; another user still needs to read root's files."""
LEAST_THREADS = 19
"""With fewer, nobody can play."""


@pytest.mark.sampled
@pytest.mark.skipif(os.getuid() != 0 or shutil.which("setpriv") is None, reason="runs as another user")
@pytest.mark.parametrize(
    "most",
    [1, 4, 8, 12, 18, 19, 23, *(pytest.param(most, marks=pytest.mark.slow) for most in (2, 6, 16, 20, 21, 30, 40))],
)
def test_a_server_that_may_start_few_processes_serves_people_or_says_why_not(most: int) -> None:
    with TemporaryDirectory() as folder:
        os.chmod(folder, 0o777)  # of another user, for this test
        command = [*(each.format(user=70_000 + most) for each in AS_ANOTHER_USER), "prlimit", f"--nproc={most}:{most}"]
        command += [
            sys.executable,
            "-m",
            "millrace.server.app.cli",
            "serve",
            "--port",
            "0",
            "--no-tablebases",
            "--no-browser-engine",
        ]
        with subprocess.Popen(
            [*command, "--data-dir", folder], stdout=PIPE, stderr=STDOUT, text=True, cwd=CHECKOUT
        ) as server:
            assert server.stdout is not None
            lines = []
            for line in server.stdout:
                lines.append(line)
                if CANNOT_START in line or BOTS in line:
                    server.send_signal(signal.SIGTERM)
            code = server.wait(PATIENCE_S)
    said = "".join(lines)
    for words in ("Traceback", "Exception ignored", "OpenBLAS"):
        assert words not in said
    if most < LEAST_THREADS:
        assert (code, said) == (1, "millrace: The system does not allow this process enough threads or memory.\n")
    else:
        assert code in (0, ENDED_EARLY, -signal.SIGALRM), said
        assert WELCOME in said
        assert said.count(CANNOT_START) + said.count(BOTS) == 1


SPARE_BYTES = 6 * 2**20
"""Enough for people to play, and less than the stack of a thread."""


@pytest.mark.slow
def test_a_server_without_memory_for_bots_lets_people_play_and_stops(tmp_path: Path) -> None:
    with ServerProcess(tmp_path / "data") as server:
        used = int(Path(f"/proc/{server.pid}/statm").read_text().split()[0]) * resource.getpagesize()
        resource.prlimit(server.pid, resource.RLIMIT_AS, (used + SPARE_BYTES, used + SPARE_BYTES))
        server.wait_for(CANNOT_START)
        asyncio.run(people_play_and_bots_are_refused(server.address))
        assert server.stop() in (0, ENDED_EARLY, -signal.SIGALRM)


def test_a_server_that_cannot_start_a_thread_stops(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = OBSTACLES["no further thread"].replace(' and sys._getframe(2).f_code.co_name == "launch_thread"', "")
    obstructed = obstruct(tmp_path, monkeypatch, how)
    obstructed.unlink()
    with ServerProcess(tmp_path / "data") as server:
        server.wait_for_bots()
        obstructed.touch()
        assert server.stop() == 0
        assert not [line for line in server.output if "Traceback" in line], "\n".join(server.output)
