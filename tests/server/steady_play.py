"""Play that goes on while servers come and go, without a refusal, an event twice or a result by the server."""

import asyncio
from collections.abc import Awaitable, Callable

from millrace.protocol import Ended, Termination
from tests.chaos.players import LONG, Players
from tests.chaos.promises import check_promises
from tests.chaos.witness import Witness
from tests.serving import PATIENCE_S
from tests.waiting import until

UNDISTURBED = {Termination.RESIGNATION, Termination.REPETITION, Termination.QUIET_LIMIT}
"""How a match may end, besides what the rules of its game define."""


async def play_on_during(address: str, database: str, disturb: Callable[[], Awaitable[None]]) -> None:
    """Play matches at an address while something is done to its servers, which share a database.

    People play people, and a bot. Checks that everyone has seen every event of every match once, that the plies of
    people are those that were acknowledged, and that each match has ended by its rules or by a player who resigned.
    """
    witness = Witness()
    players = Players(address, 0, witness, clocks=[LONG])
    async with asyncio.timeout(PATIENCE_S):
        playing = [asyncio.create_task(each) for each in (players.pair(("", ""), is_rated=False), players.bot_player())]
        try:
            await until(lambda: len({match for match, _ in witness.acknowledged}) == len(playing))
            await disturb()
        finally:
            players.is_enough.set()
            await asyncio.gather(*playing)
    assert not witness.refusals
    journal = await check_promises(database, witness)
    reasons = {event.reason for match in witness.seen for event in journal[match] if isinstance(event, Ended)}
    assert not (reasons & set(Termination)) - UNDISTURBED
