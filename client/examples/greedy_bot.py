"""A bot that knows no rules and yet wants something: of the legal moves it plays the one with the most clicks.

In Nine Men's Morris a move that takes has one click more; elsewhere it prefers the last of its moves by the alphabet.
Run it with the token of a bot's account: `MILLRACE_TOKEN=... python -m client.examples.greedy_bot [ADDRESS]`.
"""

import asyncio
import os
import sys
from contextlib import suppress

from .. import ChallengeRules, MatchId, MatchView, MyTurn, OpenOffer, Seek, connect
from ..bots import BotHost, Decider


async def choose(match: MatchId, turn: MyTurn, view: MatchView) -> str:
    """Return the move with the most clicks, the last one by the alphabet if there are several."""
    return max(turn.moves, key=lambda move: (move.count(" "), move))


def takes(challenge: Seek) -> bool:
    """Return whether to take a challenge: not from somebody who is rated far above."""
    return challenge.rating < 2500


def agrees(offer: OpenOffer, view: MatchView) -> bool:
    """Return whether to agree to an offer: to a takeback always, and to a draw in a long match."""
    return offer.kind == "takeback" or (offer.kind == "draw" and len(view.moves) > 100)


async def play(address: str, token: str) -> None:
    """Play casual matches of every game of the server at an address until interrupted."""
    async with connect(address, token=token) as me:
        rules = ChallengeRules(tuple(game.name for game in me.games), positions="any", rated=False, most_matches=4)
        await BotHost(me, rules, Decider(choose, takes, agrees, say=print)).run()


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(play(sys.argv[1] if sys.argv[1:] else "localhost:8000", os.environ["MILLRACE_TOKEN"]))
