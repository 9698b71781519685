"""Endings and storms by the client library."""

import asyncio

import pytest

from millrace.client import RefusedError, connect
from millrace.engine.games import find_game
from millrace.protocol import Code
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.serving import PATIENCE_S, Site

PUZZLES = {puzzle.id: puzzle for puzzle in shipped_puzzles(find_game("morris"))}


async def test_a_storm_is_started_and_played(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        begun = await ann.storms.start("morris")
        first = begun.puzzles[0]
        played = await ann.storms.play(first, PUZZLES[first.puzzle].accepted_at(0)[:1])
        assert played.right
        assert played.you.combo == 1


async def test_a_game_without_solved_endings_has_none(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert [game.name for game in ann.games if game.has_endings] == ["morris"]
        with pytest.raises(RefusedError) as refused:
            await ann.endings.get("mingmang")
        assert refused.value.code == Code.UNKNOWN_PUZZLE
