"""A server's first minute and last seconds: people play while everything is compiled, and it stops at any moment."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest

from millrace.client import ME, OPEN, Connection, bot, connect
from millrace.engine.kernel_cache import VARIABLE
from millrace.protocol import MatchId
from millrace.server.app.shutdown import ENDED_EARLY
from tests.commands import finish, start
from tests.processes import processes_of_session
from tests.proxies import FaultyProxy, Way
from tests.server.databases import fresh_postgres
from tests.serving import PATIENCE_S, ServerProcess
from tests.waiting import wait_until

pytestmark = pytest.mark.usefixtures("processes")


STARTING_BOTS = "Starting the bots"
TOOK_TOO_LONG = 1
"""Exit code of a server that could not close everything."""

NOTE_COMPILATIONS = """
import sys

if "serve" in sys.orig_argv:
    import numba.core.event as events

    class Note(events.Listener):
        def on_start(self, event):
            print("The server compiles", event, flush=True)

        def on_end(self, event):
            pass

    events.register("numba:compile", Note())
"""
"""A `sitecustomize` module that has a server report each kernel that it compiles itself."""


@pytest.fixture
def empty_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Has servers begin as on a new machine."""
    monkeypatch.setenv(VARIABLE, str(tmp_path / "kernels"))


async def play_first_moves(address: str, game: str) -> None:
    """Return when both of two players have moved."""
    async with asyncio.timeout(PATIENCE_S), connect(address) as ann, connect(address) as eve:
        match = (await ann.create(game, [ME, OPEN])).match
        await eve.join(match)
        await asyncio.gather(move_once(ann, match), move_once(eve, match))


async def play_against_a_bot(address: str) -> None:
    """Return when a bot has answered a move."""
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(address) as ann,
        ann.watch((await ann.create("morris", [ME, bot(4)])).match) as feed,
    ):
        for _ in range(2):
            turn = await feed.my_turn()
            assert turn is not None
            await turn.play(turn.moves[0])


async def move_once(player: Connection, match: MatchId) -> None:
    async with player.watch(match) as feed:
        turn = await feed.my_turn()
        assert turn is not None
        await turn.play(turn.moves[0])


@pytest.mark.parametrize(
    "game", ["morris", *(pytest.param(each, marks=pytest.mark.slow) for each in ("battlesheep", "mingmang"))]
)
def test_on_a_new_machine_people_play_at_once_and_the_server_does_not_compile(
    tmp_path: Path, empty_cache: None, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    (tmp_path / "sitecustomize.py").write_text(NOTE_COMPILATIONS)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    with ServerProcess(tmp_path / "data") as server:
        asyncio.run(play_first_moves(server.address, game))
        assert not [line for line in server.output if "Bots play" in line]
        assert server.stop() == 0
        assert not [line for line in server.output if "The server compiles" in line or "Traceback" in line]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
@pytest.mark.parametrize("how", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.slow)])
def test_a_compiling_server_ends_with_all_its_processes(tmp_path: Path, empty_cache: None, how: signal.Signals) -> None:
    with ServerProcess(tmp_path / "data") as server:
        server.wait_for(STARTING_BOTS)
        assert server.stop(how) == 0
        wait_until(lambda: not processes_of_session(server.pid))  # the system ends workers just after the server
        assert not [line for line in server.output if "Traceback" in line]


@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
def test_bots_go_on_until_the_server_ends_though_their_processes_are_told_to_end(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        server.wait_for_bots()
        asyncio.run(play_against_a_bot(server.address))
        others = {each for each in processes_of_session(server.pid) if each != server.pid}
        for each in others:
            os.kill(each, signal.SIGTERM)
        asyncio.run(play_against_a_bot(server.address))
        assert others <= {*processes_of_session(server.pid)}
        os.killpg(server.pid, signal.SIGTERM)
        assert server.stop() == 0
        wait_until(lambda: not processes_of_session(server.pid))
        assert not [line for line in server.output if "Traceback" in line or "replaced" in line]


def test_a_server_ends_while_it_is_still_loading(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        server.kill()
        server.start(is_awaited=False)
        assert server.stop() in (0, ENDED_EARLY)  # the second where a busy machine loads for longer than it may


STUCK = """
import sys, threading
from millrace.server.app import shutdown

shutdown.PROCESS_SECONDS, is_closed = 0, threading.Event()
if sys.argv[1] == "closed":
    is_closed.set()
shutdown.end_soon(print, is_closed)
threading.Event().wait()
"""


@pytest.mark.parametrize(("state", "code"), [("closed", 0), ("open", ENDED_EARLY)])
def test_a_process_that_is_stuck_ends_well_if_everything_is_closed(state: str, code: int) -> None:
    assert subprocess.run([sys.executable, "-c", STUCK, state], timeout=PATIENCE_S, check=False).returncode == code


@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc")
def test_a_server_ends_even_if_its_database_accepts_connections_but_never_answers(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"postgresql://ann@127.0.0.1:{silent.getsockname()[1]}/millrace"
        server = ServerProcess(tmp_path, "--database", url)
        server.start(is_awaited=False)
        try:
            connection, _ = silent.accept()
            with urlopen(server.url) as page:
                assert page.status == 200
            server.stop()
            wait_until(lambda: not processes_of_session(server.pid))
            connection.close()
        finally:
            server.kill()
    assert not [line for line in server.output if "Traceback" in line]


@pytest.mark.slow
def test_a_server_ends_even_if_its_database_stops_answering_during_play(tmp_path: Path) -> None:
    with fresh_postgres() as url, FaultyProxy(url) as proxy, ServerProcess(tmp_path, "--database", proxy.url) as server:
        asyncio.run(play_first_moves(server.address, "morris"))
        proxy.silent = Way.BOTH
        assert server.stop() in (0, TOOK_TOO_LONG)


def test_a_second_server_on_the_same_file_is_refused_until_the_first_has_ended(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as first:
        serving = (
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--data-dir",
            str(tmp_path),
            "--no-tablebases",
            "--no-browser-engine",
        )
        code, output = finish(start(*serving))
        assert code == 1
        assert output.startswith(f"millrace: Another server (process {first.pid}) serves the database")
        assert "Traceback" not in output
        first.kill()
        first.start()
