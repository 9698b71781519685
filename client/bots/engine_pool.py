"""A pool of engines that speak the line protocol: a few processes for each game, shared by the matches of a bot."""

import asyncio
from collections.abc import Mapping, Sequence

from millrace.protocol import MatchId

from ..match_feed import MyTurn
from ..match_view import MatchView
from .engine_process import EngineFailureError, EngineProcess
from .go_limits import limits_of

ATTEMPTS = 2
"""Maximum attempts to choose a move; a failed engine is restarted."""


class EnginePool:
    """The engine processes of a bot. `{game}` in their command is replaced by the name of the game.

    There are `at_once` processes for each game; further matches wait. The engines think by the clock, or for
    `movetime_ms` if no clock runs.
    """

    def __init__(self, command: Sequence[str], options: Mapping[str, str], movetime_ms: int, at_once: int) -> None:
        self._command = tuple(command)
        self._options = dict(options)
        self._movetime_ms = movetime_ms
        self._at_once = at_once
        self._turns: dict[str, asyncio.Semaphore] = {}
        self._idle: dict[str, list[EngineProcess]] = {}
        self._latest: dict[EngineProcess, MatchId] = {}
        """The match that each process searched last, since it may still have its hash table."""

    async def prepare(self, game: str) -> None:
        """Start the engines of a game in advance. Raises: EngineFailureError."""
        started = await asyncio.gather(*(self._start(game) for _ in range(self._at_once)), return_exceptions=True)
        self._idle[game] = [engine for engine in started if isinstance(engine, EngineProcess)]
        for failure in started:
            if isinstance(failure, BaseException):
                raise failure

    async def choose(self, match: MatchId, turn: MyTurn, view: MatchView) -> str:
        """Return an engine's move. Raises: EngineFailureError."""
        created = view.created
        assert created is not None
        loop = asyncio.get_running_loop()
        began = loop.time()
        async with self._turns.setdefault(created.game, asyncio.Semaphore(self._at_once)):
            for attempt in range(1, ATTEMPTS + 1):
                engine = await self._take(created.game, match)
                limits = limits_of(view, turn.seat, self._movetime_ms, int(1_000 * (loop.time() - began)))
                try:
                    return await engine.best_move(created.setup, view.moves, limits)
                except EngineFailureError:
                    await engine.close()
                    if attempt == ATTEMPTS:
                        raise
                finally:
                    self._give_back(created.game, match, engine)
        raise AssertionError("unreachable")

    async def close(self) -> None:
        """End every idle engine."""
        engines = [engine for idle in self._idle.values() for engine in idle]
        self._idle.clear()
        await asyncio.gather(*(engine.close() for engine in engines))

    async def _take(self, game: str, match: MatchId) -> EngineProcess:
        """Return an idle process, preferably the one that searched the match last."""
        idle = self._idle.setdefault(game, [])
        idle[:] = [engine for engine in idle if engine.is_running]
        if not idle:
            return await self._start(game)
        engine = next((each for each in idle if self._latest.get(each) == match), idle[-1])
        idle.remove(engine)
        if self._latest.get(engine) != match:
            engine.begin_match()
        return engine

    def _give_back(self, game: str, match: MatchId, engine: EngineProcess) -> None:
        if engine.is_running:
            self._latest[engine] = match
            self._idle[game].append(engine)
        else:
            self._latest.pop(engine, None)

    async def _start(self, game: str) -> EngineProcess:
        return await EngineProcess.start([word.replace("{game}", game) for word in self._command], self._options)
