"""Puzzles by the client library."""

import asyncio

from millrace.client import connect
from tests.serving import PATIENCE_S, Site


async def test_a_puzzle_is_tried_given_up_and_remembered(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        posed = await ann.puzzles.next("morris", theme="block")
        solved = await ann.puzzles.give_up(posed)
        tried = await ann.puzzles.attempt(posed, solved.solution[:1])
        assert (tried.right, tried.counted) == (True, False)
        history = await ann.puzzles.history("morris")
        assert [each.puzzle for each in history.attempts] == [posed.puzzle]
        assert (await ann.puzzles.daily()).day
        assert (await ann.puzzles.next("mingmang", streak=True)).rating < 1200
