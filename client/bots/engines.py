"""Engines that speak the line protocol, as a bot's mind: each match has a process of its own while it lasts.

Imported by the command `millrace bot` and by the bots that bridge to such an engine.
"""

from collections.abc import Mapping, Sequence

from client.bots.engine_process import EngineFailureError, EngineProcess
from client.bots.timing import limits_of
from client.feed import MyTurn
from client.view import MatchView
from server.protocol import MatchId

ATTEMPTS = 2
"""An engine that fails is started anew once for a ply."""


class Engines:
    """The processes of a bot. Their command may hold `{game}`, for which the name of the match's game is put.

    They think by the clock, or for `movetime_ms` where none runs.
    """

    def __init__(self, command: Sequence[str], options: Mapping[str, str], movetime_ms: int) -> None:
        self._command = tuple(command)
        self._options = dict(options)
        self._movetime_ms = movetime_ms
        self._idle: dict[str, list[EngineProcess]] = {}
        self._by_match: dict[MatchId, EngineProcess] = {}

    async def prepare(self, game: str) -> None:
        """Start an engine for a game, so that the first match need not wait for it. Raises: EngineFailureError."""
        self._idle.setdefault(game, []).append(await self._start(game))

    async def choose(self, match: MatchId, turn: MyTurn, view: MatchView) -> str:
        """Return the move that the engine of a match chooses. Raises: EngineFailureError."""
        created = view.created
        assert created is not None
        for attempt in range(1, ATTEMPTS + 1):
            engine = await self._engine_of(match, created.game)
            try:
                limits = limits_of(view, turn.seat, self._movetime_ms)
                return await engine.best_move(created.setup, view.moves, limits)
            except EngineFailureError:
                del self._by_match[match]
                await engine.close()
                if attempt == ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    def release(self, match: MatchId, game: str) -> None:
        """Let another match have the engine of one that is over."""
        engine = self._by_match.pop(match, None)
        if engine is not None:
            self._idle.setdefault(game, []).append(engine)

    async def close(self) -> None:
        """End every engine."""
        idle = [engine for engines in self._idle.values() for engine in engines]
        for engine in (*idle, *self._by_match.values()):
            await engine.close()
        self._idle.clear()
        self._by_match.clear()

    async def _engine_of(self, match: MatchId, game: str) -> EngineProcess:
        if match not in self._by_match:
            idle = [engine for engine in self._idle.pop(game, []) if engine.is_running]
            engine = idle.pop() if idle else await self._start(game)
            self._idle[game] = idle
            engine.begin_match()
            self._by_match[match] = engine
        return self._by_match[match]

    async def _start(self, game: str) -> EngineProcess:
        return await EngineProcess.start([word.replace("{game}", game) for word in self._command], self._options)
