"""`millrace play --local`: a bot plays although no server runs."""

import asyncio
import sys
from asyncio.subprocess import PIPE

from tests.processes import end_with_tests
from tests.serving import PATIENCE_S


async def test_a_bot_plays_without_a_server() -> None:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "millrace.server.cli", "play", "--local"),
        stdin=PIPE,
        stdout=PIPE,
        preexec_fn=end_with_tests,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    async with asyncio.timeout(PATIENCE_S):
        process.stdin.write(b"bot morris 1\n")
        while b"Your move." not in await process.stdout.readline():
            assert process.returncode is None
        process.stdin.write(b"quit\n")
        await process.stdin.drain()
        assert await process.wait() == 0
