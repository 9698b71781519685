"""Fair turns: a few holders at a time, and waiting addresses in turn, however much each of them asks for.

The players at one address take turns, too.

See en.wikipedia.org/wiki/Round-robin_scheduling.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import perf_counter


class FairTurns:
    """Held by at most some holders at a time."""

    def __init__(self, most: int, rest: float = 0.0) -> None:
        """`rest` is the pause after a turn for which others wait, as a multiple of its time."""
        self._free = most
        self._rest = rest
        self._waiting: OrderedDict[str, OrderedDict[str, deque[asyncio.Future[None]]]] = OrderedDict()
        """The waiting requests of each player at each address; the address and the player whose turn is next come
        first."""

    @asynccontextmanager
    async def of(self, address: str, player: str = "") -> AsyncIterator[None]:
        """Hold a turn, once one is free and it is the turn of the player at the address."""
        await self._take(address, player)
        began = perf_counter()
        try:
            yield
        finally:
            if self._waiting and self._rest:
                asyncio.get_running_loop().call_later(self._rest * (perf_counter() - began), self._release)
            else:
                self._release()

    async def _take(self, address: str, player: str) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(address, OrderedDict()).setdefault(player, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release()
            raise

    def _release(self) -> None:
        """Give the turn to the next player."""
        while self._waiting:
            address, players = self._waiting.popitem(last=False)
            player, turns = players.popitem(last=False)
            turn = turns.popleft()
            if turns:
                players[player] = turns  # behind the others
            if players:
                self._waiting[address] = players
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1
