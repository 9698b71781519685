"""Bots with one fault each, for the conformance run to find; run as programs by its tests.

`python -m tests.bots.faulty_bot ADDRESS FAULT`, where the fault is `late`, `illegal`, `disconnecting`, `silent`,
`ending` or `giving-up`.
"""

import asyncio
import os
import random
import sys
from contextlib import suppress

from millrace.client import (
    ChallengeRules,
    Connection,
    ConnectionLostError,
    MatchId,
    MatchView,
    MyTurn,
    RefusedError,
    connect,
)
from millrace.client.bots import BotHost, Decider


async def play(address: str, token: str, fault: str) -> None:
    """Play Nine Men's Morris with a fault."""
    # A bot that never comes back after a cut does not reconnect.
    async with connect(address, token=token, reconnect=fault != "disconnecting") as me:

        async def choose(match: MatchId, turn: MyTurn, view: MatchView) -> str:
            if fault == "late" and len(view.moves) > 3:
                await asyncio.Event().wait()
            if fault == "illegal" and len(view.moves) > 3:
                await try_all(me, match, turn)
            if fault == "ending" and len(view.moves) > 3:
                os._exit(7)
            if fault == "giving-up" and len(view.moves) > 3:
                raise RuntimeError("tired")
            return random.choice(turn.moves)

        if fault == "silent":
            await asyncio.Event().wait()
        host = BotHost(me, ChallengeRules(("morris",), "any", most_matches=2), Decider(choose))
        with suppress(ConnectionLostError):
            await host.run()
        await asyncio.Event().wait()


async def try_all(me: Connection, match: MatchId, turn: MyTurn) -> None:
    """Try illegal moves, ignoring the refusals."""
    try:
        await me.play(match, turn.seat, "a1-g7")
    except RefusedError:
        return


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], os.environ["MILLRACE_TOKEN"], sys.argv[2]))
