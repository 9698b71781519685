"""The shortest bot: it accepts every challenge and plays random moves.

Run it with the token of a bot's account: `MILLRACE_TOKEN=... python -m millrace.client.examples.random_bot [ADDRESS]`.
"""

import asyncio
import os
import random
import sys
from contextlib import suppress

from millrace.client import ChallengeRules, MatchId, MatchView, MyTurn, connect
from millrace.client.bots import BotHost, Decider


async def choose(match: MatchId, turn: MyTurn, view: MatchView) -> str:
    """Return any of the legal moves."""
    return random.choice(turn.moves)


async def play(address: str, token: str) -> None:
    """Play every game of the server at an address, four matches at once, until interrupted."""
    async with connect(address, token=token) as me:
        rules = ChallengeRules(tuple(game.name for game in me.games), positions="any", most_matches=4)
        await BotHost(me, rules, Decider(choose, say=print)).run()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(play(sys.argv[1] if sys.argv[1:] else "localhost:8000", os.environ["MILLRACE_TOKEN"]))
