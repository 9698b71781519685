"""Lessons and remarks by the client library."""

import asyncio

from millrace.client import ME, Line, connect
from tests.serving import PATIENCE_S, Site


async def test_a_lesson_and_the_remarks_on_a_match_are_fetched(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        lesson = await ann.teaching.lesson("mingmang")
        step = lesson.steps[0]
        after = await ann.analysis.explore(Line(step.line.game, step.line.setup, moves=(step.accepted[0],)))
        assert after.move == step.accepted[0]
        match = (await ann.create("morris", [ME, ME])).match
        remarks = await ann.teaching.remarks(match)
        assert (remarks.ply, remarks.is_newcomer) == (0, True)
