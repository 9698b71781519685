"""Endings, storms and races by the client library."""

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


async def test_a_race_is_opened_joined_and_followed(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        race = await ann.races.open("morris")
        await ben.races.join(race)
        views = ben.races.follow(race)
        assert [racer.player for racer in (await anext(views)).racers] == [ann.player, ben.player]
        await ben.races.leave(race)
        await ann.races.start(race)
        async for view in views:
            if view.starts_in_ms is not None:
                break
        await views.aclose()
        run = await ann.races.run(race)
        with pytest.raises(RefusedError) as refused:
            await ann.races.play(race, run.puzzles[0], PUZZLES[run.puzzles[0].puzzle].accepted_at(0)[:1])
        assert refused.value.code == Code.NOT_STARTED
        with pytest.raises(RefusedError) as refused:
            await anext(ann.races.follow("none"))
        assert refused.value.code == Code.UNKNOWN_RACE


async def test_a_game_without_solved_endings_has_none(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert [game.name for game in ann.games if game.has_endings] == ["morris"]
        with pytest.raises(RefusedError) as refused:
            await ann.endings.get("mingmang")
        assert refused.value.code == Code.UNKNOWN_PUZZLE
