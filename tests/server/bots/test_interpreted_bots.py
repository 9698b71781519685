"""Weak levels play while the search is being compiled, and then as well as ever."""

import asyncio

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.state import State
from millrace.server.bots.compiler import Compiler, Job
from millrace.server.bots.interpreted_bots import InterpretedBots
from millrace.server.bots.pool import BotPool
from millrace.server.bots.requests import BotRequest

pytestmark = pytest.mark.usefixtures("processes")


class SlowCompiler(Compiler):
    """Compiles nothing until a test lets it."""

    def __init__(self) -> None:
        super().__init__()
        self.is_done = asyncio.Event()

    async def compile(self, _: Job) -> None:
        await self.is_done.wait()


def request(game: str, level: int) -> BotRequest:
    return BotRequest(game, "", (), level, seed=1, movetime_ms=None)


async def test_weak_levels_play_the_same_moves_before_the_search_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = SlowCompiler()
    pool = BotPool(workers=1, compiler=compiler)

    async def are_loaded(_: str) -> bool:
        return compiler.is_done.is_set()

    monkeypatch.setattr(pool, "_are_loaded", are_loaded)
    starting = asyncio.create_task(pool.start())
    requests = [request(game, level) for game in GAMES for level in (1, 2, 3)]
    stronger = [asyncio.create_task(pool.choose(request(game, 4))) for game in GAMES]
    early = [await pool.choose(each) for each in requests]
    assert not any(asking.done() for asking in stronger)
    assert set(pool.waiting_games) == set(GAMES)
    compiler.is_done.set()
    await starting
    for game, move in zip(GAMES, await asyncio.gather(*stronger), strict=True):
        State.of(find_game(game)).parse_move(move)
    assert [await pool.choose(each) for each in requests] == early
    await pool.close()


async def test_nothing_is_compiled_before_weak_levels_play_and_their_process_ends_afterwards(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    interpreted, played = InterpretedBots(), dict[str, bool]()

    class NotingCompiler(Compiler):
        async def compile(self, job: Job) -> None:
            played[job.game] = interpreted.is_ready.is_set()

    pool = BotPool(workers=1, compiler=NotingCompiler(), interpreted=interpreted)

    async def are_loaded(game: str) -> bool:
        return game in played

    monkeypatch.setattr(pool, "_are_loaded", are_loaded)
    interpreted.begin()
    await pool.start()
    assert played == dict.fromkeys(GAMES, True)
    assert not interpreted.is_ready.is_set()
    await pool.close()


async def test_a_pool_can_be_closed_while_nothing_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    pool = BotPool(workers=1, compiler=SlowCompiler())

    async def are_loaded(_: str) -> bool:
        return False

    monkeypatch.setattr(pool, "_are_loaded", are_loaded)
    starting = asyncio.create_task(pool.start())
    await pool.choose(request("morris", 1))
    starting.cancel()
    await asyncio.wait([starting])
    await pool.close()
