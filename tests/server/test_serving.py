"""`millrace serve` and `millrace migrate`: their output, and how a server stops."""

import asyncio
import json
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from select import select

import pytest

from millrace.client import ME, OPEN, bot, connect
from tests.processes import end_with_tests
from tests.serving import PATIENCE_S, ServerProcess

pytestmark = pytest.mark.usefixtures("processes")


def millrace(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "millrace.server.app.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])


def test_a_database_is_migrated_once(tmp_path: Path) -> None:
    first = millrace("migrate", "--data-dir", str(tmp_path))
    again = millrace("migrate", "--data-dir", str(tmp_path))
    assert (first.returncode, first.stdout) == (0, "Upgraded the database.\n")
    assert (again.returncode, again.stdout) == (0, "The database is up to date.\n")


def test_everything_that_a_server_prints_is_json_if_the_environment_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MILLRACE_LOG_FORMAT", "json")
    with ServerProcess(tmp_path) as server:
        server.stop_in_good_order()
        entries = [json.loads(line) for line in server.output]
    assert {entry["level"] for entry in entries} == {"info"}
    assert "Players are welcome." in [entry["event"] for entry in entries]


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_database_that_cannot_be_opened_is_reported_in_one_line(tmp_path: Path, command: str) -> None:
    arguments = ["--port", "0"] if command == "serve" else []
    result = millrace(command, "--database", "foo://x", "--data-dir", str(tmp_path), *arguments)
    assert result.returncode == 1
    assert result.stderr.startswith("millrace: the server supports no database at")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("option", "value", "words"),
    [
        ("--limit", "chat_line.guest=5", "There is no limit chat_line.guest."),
        ("--calendar", "calendar.toml", "There is no file or folder calendar.toml."),
        ("--database", "postgresql://127.0.0.1:1/none", "postgresql://127.0.0.1:1/none"),
    ],
)
def test_a_server_says_that_it_serves_only_when_it_does(tmp_path: Path, option: str, value: str, words: str) -> None:
    result = millrace("serve", "--port", "0", "--data-dir", str(tmp_path), option, value)
    assert (result.returncode, result.stdout.startswith("Millrace starts on http")) == (1, True)
    assert "serves" not in result.stdout
    assert words in result.stderr
    assert not (tmp_path / "millrace.sqlite3").exists()


def test_a_port_in_use_is_reported_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = millrace("serve", "--host", "127.0.0.1", "--port", str(port), "--data-dir", str(tmp_path))
    assert result.returncode == 1
    assert result.stderr == (
        f"millrace: Another program uses port {port} of 127.0.0.1. Stop it, or choose another port with --port.\n"
    )


def test_a_server_continues_when_its_output_is_no_longer_read(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "millrace.server.app.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data-dir", str(tmp_path), "--no-tablebases", "--no-browser-engine"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=Path(__file__).parents[2],
        preexec_fn=end_with_tests,
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    process.stdout.close()
    asyncio.run(play_against_a_bot(address))
    process.terminate()
    assert process.wait(PATIENCE_S) == 0


async def play_against_a_bot(address: str) -> None:
    """Return when a bot has moved, which it does once all rules and searches are compiled."""
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(address) as ann,
        ann.watch((await ann.create("morris", [ME, bot(1)])).match) as feed,
    ):
        for _ in range(2):
            turn = await feed.my_turn()
            assert turn is not None
            await turn.play(turn.moves[0])


def received(channel: socket.socket) -> list[bytes]:
    """Return the messages that have arrived."""
    return [channel.recv(64) for _ in iter(lambda: select([channel], [], [], 0)[0], [])]


def test_a_server_tells_systemd_that_it_is_ready_alive_and_stopping(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
    monkeypatch.setenv("WATCHDOG_USEC", "300000")
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as systemd:
        systemd.bind(str(tmp_path / "notify"))
        systemd.settimeout(PATIENCE_S)
        with ServerProcess(tmp_path) as server:
            assert [systemd.recv(64) for _ in range(4)] == [b"READY=1", *[b"WATCHDOG=1"] * 3]
            server.wait_for_bots()
            # The system keeps only a few messages.
            assert set(received(systemd)) <= {b"WATCHDOG=1"}
            assert server.stop() == 0
        assert b"STOPPING=1" in received(systemd)


async def test_a_terminated_server_stops_cleanly(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        async with connect(server.address, reconnect=False) as ann:
            match = (await ann.create("morris", [ME, OPEN])).match
            assert server.stop() == 0
        assert not [line for line in server.output if "Traceback" in line]
        server.start()
        async with connect(server.address) as eve, eve.watch(match) as feed:
            await feed.ready()
