"""`millrace bot`: a process that plays with an engine, and ends when interrupted."""

import asyncio
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import AbstractAsyncContextManager

from millrace.client import ME, OPEN, connect
from tests.bots.line_engine import ENGINE
from tests.bots.matches import PATIENCE_S, MakeBot, challenge, play_some
from tests.processes import child
from tests.serving import ServerProcess

COMMAND = (sys.executable, "-m", "millrace.server.app.cli", "bot")


def started(server: ServerProcess, token: str, *arguments: str) -> AbstractAsyncContextManager[Process]:
    """Run the command during the context."""
    environment = {**os.environ, "MILLRACE_TOKEN": token}
    command = (*COMMAND, server.address, "--games", "morris", *arguments)
    return child(*command, stdout=PIPE, stderr=PIPE, env=environment)


async def hear(process: Process, words: str) -> None:
    """Read the process's output until a line contains these words."""
    assert process.stdout is not None
    while words not in (line := (await process.stdout.readline()).decode()):
        assert line, f"it has ended without {words!r}"


async def test_the_command_plays_with_an_engine_and_finishes_its_match_on_interrupt(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    name, token = await make_bot()
    arguments = ("--matches", "2", "--option", "First=g7", "--", *ENGINE)
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as me,
        started(server, token, *arguments) as process,
    ):
        feed = await challenge(me, name, seats=[OPEN, ME])
        await play_some(feed, 4)
        assert feed.view.moves[0] == "g7"
        process.send_signal(signal.SIGINT)
        await hear(process, "Finishing the running matches")
        assert process.returncode is None
        await me.resign(feed.match, 1)
        assert await process.wait() == 0


async def test_the_command_leaves_its_matches_at_once_on_request_and_continues_them_later(
    server: ServerProcess, make_bot: MakeBot
) -> None:
    name, token = await make_bot()
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as me:
        async with started(server, token, "--no-finish", "--", *ENGINE) as process:
            feed = await challenge(me, name)
            await play_some(feed, 2)
            process.send_signal(signal.SIGINT)
            assert await process.wait() == 0
        async with started(server, token, "--no-finish", "--", *ENGINE) as process:
            await play_some(feed, 4)
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0


async def test_the_command_explains_errors_in_one_line(server: ServerProcess, make_bot: MakeBot) -> None:
    _, token = await make_bot()
    for arguments, words in (
        (("--token", "api_nonsense"), "This is not a token of this server"),
        (("--", "/nowhere/engine"), "cannot be started"),
    ):
        async with started(server, token, *arguments) as process:
            _, complaint = await process.communicate()
        assert process.returncode == 1
        assert words in complaint.decode()
