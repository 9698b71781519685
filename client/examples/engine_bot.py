"""A bridge to any engine that speaks the line protocol. `millrace bot` does the same with more options.

Run it with `MILLRACE_TOKEN=... python -m millrace.client.examples.engine_bot ADDRESS ENGINE COMMAND...`. In the
command, `{game}` is replaced by the name of the game, as in `millrace engine {game}`.
"""

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

from millrace.client import ChallengeRules, connect
from millrace.client.bots import BotHost, Decider
from millrace.client.bots.engine_pool import EnginePool


async def play(address: str, token: str, command: Sequence[str]) -> None:
    """Play every game of a server with the engines that a command starts, until interrupted."""
    engines = EnginePool(command, options={}, movetime_ms=1_000, at_once=2)
    try:
        async with connect(address, token=token) as me:
            rules = ChallengeRules(tuple(game.name for game in me.games), positions="any", most_matches=4)
            for game in rules.games:
                await engines.prepare(game)
            await BotHost(me, rules, Decider(engines.choose, say=print)).run()
    finally:
        await engines.close()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(play(sys.argv[1], os.environ["MILLRACE_TOKEN"], sys.argv[2:]))
