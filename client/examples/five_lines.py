"""A bot in five lines: it plays random moves in a match of Nine Men's Morris against the server's bot of level 1.

With a server running and Millrace installed: `python -m millrace.client.examples.five_lines [ADDRESS]`.
"""

import asyncio
import random
import sys

from millrace.client import ME, bot, connect


async def play(address: str) -> None:
    """Play a match on the server at an address and print how it ended."""
    async with connect(address) as me:
        feed = me.watch((await me.create("morris", [ME, bot(1)])).match)
        async for turn in feed.turns():
            await turn.play(random.choice(turn.moves))
        print((await feed.result()).explanation)


if __name__ == "__main__":
    asyncio.run(play(*sys.argv[1:] or ["localhost:8000"]))
