"""A bot that knows no rules but has a preference: it plays the legal move with the most clicks.

In Nine Men's Morris a capture has one more click. Among equal moves it plays the last one in alphabetical order.
Run it with the token of a bot's account: `MILLRACE_TOKEN=... python -m millrace.client.examples.greedy_bot [ADDRESS]`.
"""

import asyncio
import os
import sys
from contextlib import suppress

from millrace.client import ChallengeRules, MatchId, MatchView, MyTurn, OpenOffer, Seek, connect
from millrace.client.bots import BotHost, Decider


async def choose(match: MatchId, turn: MyTurn, view: MatchView) -> str:
    """Return the move with the most clicks; among several, the last one in alphabetical order."""
    return max(turn.moves, key=lambda move: (move.count(" "), move))


def takes(challenge: Seek) -> bool:
    """Return whether to accept a challenge: not from a much stronger player."""
    return challenge.rating < 2500


def agrees(offer: OpenOffer, view: MatchView) -> bool:
    """Return whether to accept an offer: a takeback always, and a draw in a long match."""
    return offer.kind == "takeback" or (offer.kind == "draw" and len(view.moves) > 100)


async def play(address: str, token: str) -> None:
    """Play casual matches of every game of the server at an address until interrupted."""
    async with connect(address, token=token) as me:
        rules = ChallengeRules(tuple(game.name for game in me.games), positions="any", rated=False, most_matches=4)
        await BotHost(me, rules, Decider(choose, takes, agrees, say=print)).run()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(play(sys.argv[1] if sys.argv[1:] else "localhost:8000", os.environ["MILLRACE_TOKEN"]))
