"""The games whose rules are compiled. A server starts before all are, so matches wait for the rules of their game."""

import asyncio

from millrace.engine.games import GAMES
from millrace.engine.warm_up import Progress, warm_up_rules


class CompiledRules:
    """The rules of every game, compiled one game after another beside the event loop."""

    def __init__(self) -> None:
        self._ready = {name: asyncio.Event() for name in GAMES}

    @property
    def games(self) -> tuple[str, ...]:
        """The games that can be played already."""
        return tuple(name for name, ready in self._ready.items() if ready.is_set())

    async def compile(self, progress: Progress) -> None:
        """Compile the rules of every game; call `progress` in the event loop after each."""
        loop = asyncio.get_running_loop()

        def compiled(name: str, done: int, total: int) -> None:
            loop.call_soon_threadsafe(self._ready[name].set)
            loop.call_soon_threadsafe(progress, name, done, total)

        await asyncio.to_thread(warm_up_rules, compiled)

    async def ready(self, game: str) -> None:
        """Return when a game can be played; at once if there is no such game."""
        if game in self._ready:
            await self._ready[game].wait()
