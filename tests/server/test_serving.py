"""What `millrace serve` and `millrace migrate` say to the person who starts them, and how a server stops."""

import json
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import urlopen

import pytest

from millrace.client import ME, OPEN, connect
from tests.serving import PATIENCE_S, ServerProcess


def millrace(*arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "millrace.server.cli", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])


def test_a_database_is_migrated_once(tmp_path: Path) -> None:
    first = millrace("migrate", "--data-dir", str(tmp_path))
    again = millrace("migrate", "--data-dir", str(tmp_path))
    assert (first.returncode, first.stdout) == (0, "Upgraded the database.\n")
    assert (again.returncode, again.stdout) == (0, "The database is up to date.\n")


@pytest.mark.parametrize("command", ["serve", "migrate"])
def test_a_database_that_cannot_be_opened_is_said_in_one_line(tmp_path: Path, command: str) -> None:
    arguments = ["--port", "0"] if command == "serve" else []
    result = millrace(command, "--database", "foo://x", "--data-dir", str(tmp_path), *arguments)
    assert result.returncode == 1
    assert result.stderr.startswith("millrace: no database is known by")
    assert result.stderr.count("\n") == 1


def test_a_port_that_is_taken_is_said_in_one_line(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        result = millrace("serve", "--host", "127.0.0.1", "--port", str(port), "--data-dir", str(tmp_path))
    assert result.returncode == 1
    assert result.stderr.startswith("millrace: ")
    assert "Traceback" not in result.stderr


def test_a_server_goes_on_when_nobody_reads_any_more_what_it_says(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "millrace.server.cli", "serve", "--host", "127.0.0.1", "--port", "0"]
    process = subprocess.Popen(
        [*command, "--data-dir", str(tmp_path), "--no-tablebases"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert process.stdout is not None
    address = process.stdout.readline().split()[-1]
    process.stdout.close()
    deadline = time.monotonic() + PATIENCE_S
    while not is_healthy(address):
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.terminate()
    assert process.wait(PATIENCE_S) == 0


def is_healthy(address: str) -> bool:
    """Return whether a server that may be starting welcomes people and has all rules and bots."""
    try:
        with urlopen(f"{address}/health") as answer:
            return bool(json.load(answer)["bots"] == "ready")
    except HTTPError:
        return False


async def test_a_server_told_to_end_stops_in_good_order(tmp_path: Path) -> None:
    with ServerProcess(tmp_path) as server:
        async with connect(server.address, reconnect=False) as ann:
            match = (await ann.create("morris", [ME, OPEN])).match
            assert server.stop() == 0
        assert not [line for line in server.output if "Traceback" in line]
        server.start()
        async with connect(server.address) as eve, eve.watch(match) as feed:
            await feed.ready()
