"""The client library asks for analyses, and waits for the last of the answers."""

import pytest

from millrace.client import ME, Line, RefusedError, connect
from millrace.protocol import Code
from tests.server.in_process_server import Served


async def test_lines_are_walked_searched_and_looked_up(served: Served) -> None:
    async with connect(f"localhost:{served.port}") as me:
        line = Line(game="morris", moves=("d6", "f4"))
        assert (await me.analysis.explore(line)).ply == 2
        found = await me.analysis.evaluate(line, seconds=1, variations=2)
        assert found.is_final
        assert len(found.variations) == 2
        assert (await me.analysis.probe_tablebase(line)).solved is None
        with pytest.raises(RefusedError) as refused:
            await me.analysis.explore(Line(game="chess"))
        assert refused.value.code == Code.UNKNOWN_GAME


async def test_a_match_is_reviewed(served: Served) -> None:
    async with connect(f"localhost:{served.port}") as me:
        match = (await me.create("morris", [ME, ME])).match
        await me.play(match, 0, "d6")
        await me.resign(match, 1)
        judged = await me.analysis.judge(match)
        assert [ply.move for ply in judged.plies] == ["d6"]
