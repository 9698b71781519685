"""Fair turns: a few holders at a time, and waiting users in turn, however much each of them asks for.

See en.wikipedia.org/wiki/Round-robin_scheduling.
"""

import asyncio
from collections import OrderedDict, deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class FairTurns:
    """Held by at most some holders at a time."""

    def __init__(self, most: int) -> None:
        self._free = most
        self._waiting: OrderedDict[str, deque[asyncio.Future[None]]] = OrderedDict()
        """The waiting requests of each user; the user whose turn is next comes first."""

    @asynccontextmanager
    async def of(self, user: str) -> AsyncIterator[None]:
        """Hold a turn, once one is free and it is the user's turn."""
        await self._take(user)
        try:
            yield
        finally:
            self._release()

    async def _take(self, user: str) -> None:
        if self._free > 0:
            self._free -= 1
            return
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(user, deque()).append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._release()
            raise

    def _release(self) -> None:
        """Give the turn to the next user."""
        while self._waiting:
            user, turns = self._waiting.popitem(last=False)
            turn = turns.popleft()
            if turns:
                self._waiting[user] = turns  # behind the others
            if not turn.cancelled():
                turn.set_result(None)
                return
        self._free += 1
