"""The conformance run: a correct bot passes, and each fault fails it with an explanation."""

import asyncio
import sys
from asyncio.subprocess import PIPE

import pytest

from tests.processes import child
from tests.serving import ServerProcess

PATIENCE_S = 600
PYTHON = (sys.executable, "-m")
BRIDGE = ("millrace.client.examples.engine_bot", "{address}", *PYTHON, "tests.bots.rules_engine", "{game}")

pytestmark = pytest.mark.sampled


async def check(server: ServerProcess | None, patience_s: float, *command: str) -> tuple[int, str]:
    """Check a bot on a server, or on one that the run starts; return the exit code and the output."""
    at = () if server is None else ("--server", server.address)
    arguments = ("bot-check", *at, "--patience", str(patience_s), "--stop-at-fault", "--")
    run = (*PYTHON, "millrace.server.app.cli", *arguments, *PYTHON, *command)
    async with asyncio.timeout(PATIENCE_S), child(*run, stdout=PIPE) as process:
        printed, _ = await process.communicate()
    return process.returncode or 0, printed.decode()


@pytest.mark.parametrize(
    "command",
    [
        ("millrace.client.examples.random_bot", "{address}"),
        pytest.param(("millrace.client.examples.greedy_bot", "{address}"), marks=pytest.mark.slow),
        BRIDGE,
    ],
    ids=("random", "greedy", "bridge"),
)
async def test_the_example_bots_pass(server: ServerProcess, command: tuple[str, ...]) -> None:
    code, printed = await check(server, 60, *command)
    assert code == 0, printed
    assert printed.endswith("23 passed, 0 failed, 0 skipped\n")


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("late", "although it is connected."),
        ("illegal", "It played 'a1-g7', which is not a legal move"),
        ("disconnecting", "its connection was closed, and it did not reconnect."),
        ("silent", "It did not say which challenges it accepts"),
        ("ending", "its program ended with exit code 7."),
        ("giving-up", "It gave up a match of morris at ply"),
    ],
)
async def test_a_fault_is_found_and_explained(server: ServerProcess, fault: str, words: str) -> None:
    patience_s = 1 if fault == "silent" else 5
    code, printed = await check(server, patience_s, "tests.bots.faulty_bot", "{address}", fault)
    assert code == 1, printed
    assert words in printed
    assert "1 failed" in printed


async def test_the_run_starts_its_own_server_by_default(processes: None) -> None:
    code, printed = await check(None, 30, "tests.bots.faulty_bot", "{address}", "illegal")
    assert code == 1, printed
    assert "passed   It comes online." in printed
    assert "It played 'a1-g7'" in printed


async def test_a_command_that_cannot_be_started_is_reported(server: ServerProcess) -> None:
    arguments = ("millrace.server.app.cli", "bot-check", "--server", server.address, "--", "/nowhere/bot")
    async with child(*PYTHON, *arguments, stdout=PIPE, stderr=PIPE) as process:
        _, complaint = await process.communicate()
    assert process.returncode == 2
    assert "/nowhere/bot" in complaint.decode()
