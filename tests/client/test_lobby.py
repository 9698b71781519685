"""The lobby through the client library, on a real server."""

import asyncio

import pytest

from millrace.client import ME, OPEN, SearchEndedError, connect
from millrace.protocol import ClockSettings, Code
from tests.client.connecting import first_where, refusal_of
from tests.serving import PATIENCE_S, Site

BLITZ = ClockSettings(180_000, 2_000)


async def test_two_programs_find_each_other(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        matches = await asyncio.gather(*(me.lobby.find_match("morris", clock=BLITZ) for me in (ann, ben)))
        assert matches[0] == matches[1]


async def test_a_program_can_play_the_bot_that_is_offered(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert await ann.lobby.find_match("mingmang", takes_bot=True)


async def test_a_program_plays_immediately(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        playing = await ann.lobby.play_now("battlesheep")
        assert [opponent.level for opponent in playing.opponents] == [1]
        assert await refusal_of(ann.lobby.play_now("chess")) is Code.UNKNOWN_GAME


async def test_a_cancelled_search_is_not_paired(server: Site) -> None:
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as ann,
        connect(server.address, token=ann.token) as elsewhere,
    ):
        searches = [asyncio.create_task(me.lobby.find_match("battlesheep", seats=4)) for me in (ann, elsewhere)]
        await ann.ping()
        await elsewhere.ping()
        searches[0].cancel()
        with pytest.raises(SearchEndedError):
            await searches[1]
        with pytest.raises(asyncio.CancelledError):
            await searches[0]


async def test_an_impossible_search_is_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert await refusal_of(ann.lobby.find_match("morris", rated=True)) is Code.ACCOUNT_NEEDED


async def test_another_program_sees_and_joins_a_seek(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann, connect(server.address) as ben:
        made = await ann.create("morris", [ME, OPEN], listed=True)
        await first_where(ben.lobby.seeks(), lambda seeks: made.match in {seek.match for seek in seeks})
        await ben.join(made.match)
        await first_where(ben.lobby.seeks(), lambda seeks: made.match not in {seek.match for seek in seeks})


async def test_a_challenge_to_an_unknown_player_is_refused(server: Site) -> None:
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as ann:
        assert await refusal_of(ann.challenge("Nobody-At-All", "morris")) is Code.UNKNOWN_PLAYER
