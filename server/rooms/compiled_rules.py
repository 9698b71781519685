"""Which games' rules are compiled, so that their matches can go on: a server lets players in before all are."""

import asyncio

from millrace.engine.games import GAMES
from millrace.engine.warm_up import Progress, warm_up_rules


class RuleBook:
    """The rules of every game, compiled one game after the other beside the event loop."""

    def __init__(self) -> None:
        self._ready = {name: asyncio.Event() for name in GAMES}

    @property
    def games(self) -> tuple[str, ...]:
        """The games that can be played already."""
        return tuple(name for name, ready in self._ready.items() if ready.is_set())

    async def compile(self, progress: Progress) -> None:
        """Compile the rules of every game; `progress` is told of each in the event loop."""
        loop = asyncio.get_running_loop()

        def compiled(name: str, done: int, total: int) -> None:
            loop.call_soon_threadsafe(self._ready[name].set)
            loop.call_soon_threadsafe(progress, name, done, total)

        await asyncio.to_thread(warm_up_rules, compiled)

    async def ready(self, game: str) -> None:
        """Return when a game can be played; at once for a game that there is not."""
        if game in self._ready:
            await self._ready[game].wait()
