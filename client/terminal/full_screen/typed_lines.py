"""Typed lines, one after the other: each is about the board that the player saw, or expected, when they began it."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

from ..commands import Session, is_move, lacks_board

PATIENCE_S = 5
"""How long a typed move waits for a board that has not arrived."""
AT_ONCE = ("quit", "stop")
"""The commands that do not wait for the answers to earlier lines."""
LONG = ("analyse", "review")
"""The commands for whose answers later lines do not wait."""


class TypedLines:
    """Runs typed lines in their order, also those that were typed ahead."""

    def __init__(
        self,
        session: Session,
        run: Callable[[str], Awaitable[None]],
        begin: Callable[[str], None],
        give_back: Callable[[str, str], None],
    ) -> None:
        """`run` returns after the answer to a line, `begin` at once; `give_back` lets the player enter it once more,
        and says why.
        """
        self._session = session
        self._run, self._begin, self._give_back = run, begin, give_back
        self._in_order = asyncio.Lock()
        self._changed = asyncio.Event()

    def changed(self) -> None:
        """Notice that a board has changed, or another one is shown."""
        self._changed.set()

    async def run(self, line: str, openings: int) -> None:
        """Run a line after the earlier ones, on what they led to. `openings` is the session's when it was begun.

        If a board has opened by itself since then, the line may be about another one: it is given back.
        """
        command = line.split(maxsplit=1)[0]
        if command in AT_ONCE:
            self._begin(line)
            return
        async with self._in_order:
            await self._until_current(line)
            if openings != self._session.openings:
                self._give_back(line, "Another board has opened.")
            elif lacks_board(self._session, line):
                self._give_back(line, "No board is open yet.")
            elif command in LONG:
                self._begin(line)
            else:
                await self._run(line)

    async def _until_current(self, line: str) -> None:
        """Return once a move can be played on the shown board: it has arrived, with all that the player has done."""
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while is_move(self._session, line) and not self._session.board.is_current:
                    self._changed.clear()
                    await self._changed.wait()
