"""Interprets the rules of the games until they are compiled, so that players need not wait.

This process never compiles: that would block its event loop and its shutdown.
"""

import asyncio

import structlog

from millrace.engine.games import GAMES
from millrace.engine.kernel_cache import forbid_compiling
from millrace.engine.warm_up import are_rules_loaded, interpret_all_rules

from ..bots.compiler import CompileError, Compiler, Job
from ..bots.pool import Progress
from .garbage_collection import collect_rarely

log = structlog.get_logger()


class CompiledRules:
    """The rules of every game, in this process."""

    def __init__(self, compiler: Compiler, progress: Progress) -> None:
        self._compiler = compiler
        self._progress = progress
        self._loaded: set[str] = set()

    async def begin(self) -> None:
        """Load the rules that are already compiled, and interpret the others."""
        forbid_compiling()
        interpret_all_rules()
        for game in GAMES:
            await self._load(game)

    async def complete(self) -> None:
        """Load the other rules as they are compiled, one game at a time."""
        missing = [game for game in GAMES if game not in self._loaded]
        await asyncio.gather(*map(self._compile, missing))
        collect_rarely()

    async def _compile(self, game: str) -> None:
        try:
            await self._compiler.compile(Job("rules", game))
        except CompileError as error:
            log.warning("rules not compiled", error=str(error))
        if not await self._load(game):
            log.warning("the rules of a game stay interpreted, which is slower", game=game)

    async def _load(self, game: str) -> bool:
        if not await asyncio.to_thread(are_rules_loaded, GAMES[game]):
            return False
        self._loaded.add(game)
        self._progress(game, len(self._loaded), len(GAMES))
        return True
