"""`millrace play --local`: a bot plays, and a match is played to its end, although no server runs."""

import asyncio
import sys
from asyncio.subprocess import PIPE

from tests.processes import child
from tests.serving import PATIENCE_S


async def test_matches_are_played_without_a_server(processes: None) -> None:
    command = (sys.executable, "-m", "millrace.server.app.cli", "play", "--local")
    async with asyncio.timeout(PATIENCE_S), child(*command, stdin=PIPE, stdout=PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for line, answer in (
            (b"bot morris 1", b"Your move."),
            (b"here mingmang", b"Black is to move."),
            (b"pass", b"White is to move."),
            (b"pass", b"Draw"),
        ):
            process.stdin.write(line + b"\n")
            while answer not in await process.stdout.readline():
                assert process.returncode is None
        process.stdin.write(b"quit\n")
        await process.stdin.drain()
        assert await process.wait() == 0
