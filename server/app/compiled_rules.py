"""Interprets the rules of the games until they are compiled, so that players need not wait.

This process never compiles: that would block its event loop and its shutdown.
"""

import asyncio
import gc
from collections.abc import Callable

import structlog

from millrace.engine.faults import GameFaultError
from millrace.engine.games import GAMES
from millrace.engine.kernel_cache import forbid_compiling
from millrace.engine.levels.warm_up import are_rules_loaded, interpret_all_rules

from ..bots.compiler import CompileError, Compiler, Job

log = structlog.get_logger()


class CompiledRules:
    """The rules of every game, in this process."""

    def __init__(self, compiler: Compiler, say: Callable[[str], None]) -> None:
        self._compiler = compiler
        self._say = say
        self._loaded: set[str] = set()

    async def begin(self) -> None:
        """Load the rules that are already compiled, and interpret the others."""
        forbid_compiling()
        interpret_all_rules()
        for game in GAMES:
            await self._load(game)
            if GAMES[game].rules.why_interpreted:
                log.warning("a game's bots are weak", game=game, why=GAMES[game].rules.why_interpreted)

    async def complete(self) -> None:
        """Load the other rules as they are compiled, one game at a time."""
        missing = [game for game in GAMES if game not in self._loaded]
        await asyncio.gather(*map(self._compile, missing))
        _collect_rarely()

    async def _compile(self, game: str) -> None:
        try:
            await self._compiler.compile(Job("rules", game))
        except CompileError as error:
            log.warning("rules not compiled", error=str(error))
        if not await self._load(game):
            log.warning("the rules of a game stay interpreted, which is slower", game=game)

    async def _load(self, game: str) -> bool:
        try:
            if not await asyncio.to_thread(are_rules_loaded, GAMES[game]):
                return False
        except GameFaultError:  # the compile process says why
            return False
        self._loaded.add(game)
        self._say(f"The rules of {GAMES[game].title} are ready ({len(self._loaded)} of {len(GAMES)})")
        return True


def _collect_rarely() -> None:
    """Exclude the objects loaded so far from garbage collection, and collect new ones rarely: moves wait for it."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)
