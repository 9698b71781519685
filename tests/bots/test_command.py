"""`millrace bot`: a process that plays with an engine, and ends when interrupted."""

import asyncio
import os
import re
import signal
import sys
from asyncio.subprocess import PIPE, Process
from contextlib import AbstractAsyncContextManager
from pathlib import Path

from millrace.client import ME, OPEN, connect, sign_in
from millrace.server.app.commands.bot_account import read_token
from tests.bots.line_engine import ENGINE
from tests.bots.matches import PATIENCE_S, MakeBot, challenge, play_some
from tests.client.connecting import new_name
from tests.docs.programs import read_blocks
from tests.processes import child
from tests.project.repository import read
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
        await hear(process, f"Finishing the running matches against {me.player.name}; press")
        assert process.returncode is None
        await me.resign(feed.match, 1)
        assert await process.wait() == 0


async def test_the_program_of_the_page_plays_when_it_is_copied(
    server: ServerProcess, make_bot: MakeBot, tmp_path: Path
) -> None:
    name, token = await make_bot()
    (program,) = [block.text for block in read_blocks("docs/bots.md") if block.language == "python"]
    (tmp_path / "bot.py").write_text(program)
    (tmp_path / "Grinder.env").write_text(f"# A bot\nMILLRACE_URL={server.address}\nMILLRACE_TOKEN={token}\n")
    start = "set -a && . ./Grinder.env && python bot.py"
    assert start in read("docs/bots.md")
    command = start.replace("python", f"exec {sys.executable}")
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as me,
        child("sh", "-c", command, stdout=PIPE, cwd=tmp_path) as process,
    ):
        await play_some(await challenge(me, name, "battlesheep"), 6)
        process.send_signal(signal.SIGINT)
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
            await hear(process, f"1 match continues: Nine Men's Morris with {me.player.name} - {name} ({feed.match}).")
            await play_some(feed, 4)
            process.send_signal(signal.SIGTERM)
            assert await process.wait() == 0


async def test_the_command_registers_a_bot_whose_secrets_are_private(server: ServerProcess, tmp_path: Path) -> None:
    name = new_name()
    register = (*COMMAND, server.address, "--register", name)
    async with asyncio.timeout(PATIENCE_S):
        async with child(*register, stdout=PIPE, cwd=tmp_path, umask=0) as process:
            printed, _ = await process.communicate()
        secrets = tmp_path / f"{name}.env"
        assert process.returncode == 0
        assert f"Only you can read {secrets.name}" in printed.decode()
        assert secrets.stat().st_mode & 0o777 == 0o600
        lines = dict(line.partition("=")[::2] for line in secrets.read_text().splitlines())
        assert lines["MILLRACE_TOKEN"] not in printed.decode()
        async with connect(lines["MILLRACE_URL"], token=lines["MILLRACE_TOKEN"]) as me:
            assert (me.player.name, me.player.bot) == (name, True)
        (password,) = re.findall(r"# Password: (.+)", secrets.read_text())
        assert await sign_in(server.address, name, password)
        async with started(server, "", "--env-file", str(secrets), "--", *ENGINE) as process:
            await hear(process, f"Connected as {name}")
        for folder, words in ((tmp_path, "exists already"), (tmp_path / "empty", "taken; please choose another")):
            folder.mkdir(exist_ok=True)
            async with child(*register, stdout=PIPE, stderr=PIPE, cwd=folder) as process:
                _, complaint = await process.communicate()
            assert process.returncode == 1
            assert words in complaint.decode()
        assert list((tmp_path / "empty").iterdir()) == []


async def test_the_command_registers_a_bot_in_the_named_file(server: ServerProcess, tmp_path: Path) -> None:
    secrets = tmp_path / "secrets"
    register = (*COMMAND, server.address, "--register", new_name(), "--env-file", str(secrets))
    async with asyncio.timeout(PATIENCE_S), child(*register, stdout=PIPE, cwd=tmp_path, umask=0) as process:
        await process.communicate()
        assert process.returncode == 0
    assert secrets.stat().st_mode & 0o777 == 0o600
    assert read_token(secrets).startswith("api_")


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
