"""A player who types at the line mode of a terminal, for tests."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from millrace.client import Connection, connect
from millrace.client.terminal.plain import LineMode
from tests.server.in_process_server import Served
from tests.serving import PATIENCE_S, Site


class Typist:
    """A console for tests."""

    def __init__(self, me: Connection) -> None:
        self.name = me.player.name
        self.width: int | None = None
        self.is_interactive = True
        self.has_utf8 = True
        self.is_typing = False
        self.complete: Callable[[str], list[str]] = lambda _: []
        self.said: list[str] = []
        """What was printed since the last typed line."""
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()
        self._changed = asyncio.Event()

    def say(self, text: str) -> None:
        self.said.append(text)
        self._changed.set()

    async def read(self, *, is_secret: bool = False) -> str | None:
        return await self._typed.get()

    def send(self, line: str | None) -> None:
        """Type a line, or end the input."""
        self.said.clear()
        self._typed.put_nowait(line)

    async def type(self, line: str, pattern: str) -> str:
        """Type a line, and return the first text printed since then that matches."""
        self.send(line)
        return await self.hear(pattern)

    async def hear(self, pattern: str) -> str:
        """Return the first printed text that matches, once there is one."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                while True:
                    for text in self.said:
                        if re.search(pattern, text, re.MULTILINE):
                            return text
                    self._changed.clear()
                    await self._changed.wait()
        except TimeoutError:
            raise AssertionError(f"Nothing that was printed matches {pattern!r}:\n" + "\n".join(self.said)) from None


@asynccontextmanager
async def seated(server: Site | Served, token: str = "", *, is_piped: bool = False) -> AsyncIterator[Typist]:
    """Run a terminal for a player."""
    async with connect(server.address, token=token) as me:
        typist = Typist(me)
        typist.is_interactive = not is_piped
        running = asyncio.create_task(LineMode(me, typist).run())
        try:
            await typist.hear("You are")
            yield typist
        finally:
            running.cancel()
            with suppress(asyncio.CancelledError):
                await running


def first_match(listed: str) -> str:
    """Return the id of the first match of a list."""
    found = re.search(r"^ 1  (\S+)", listed, re.MULTILINE)
    assert found is not None, listed
    return found[1]


async def first_and_second(*typists: Typist) -> tuple[Typist, Typist]:
    """Return the player who is to move, and the other one."""
    turns = {asyncio.create_task(each.hear("Your move")): each for each in typists}
    (told, *_), waiting = await asyncio.wait(turns, return_when=asyncio.FIRST_COMPLETED)
    for task in waiting:
        task.cancel()
    return turns[told], next(each for task, each in turns.items() if task is not told)


async def announced(ann: Typist, what: str) -> str:
    """Create a private match and return its id."""
    await ann.type(f"private {what}", "The match is")
    return (await ann.hear("Others join it with")).split()[-1]


async def begin_morris(ann: Typist, ben: Typist) -> tuple[str, Typist, Typist]:
    """Begin a private match of Nine Men's Morris; return it, and the players in the order of their moves."""
    match = await announced(ann, "morris")
    await ben.type(f"join {match}", "The match begins|to move|Your move")
    return match, *await first_and_second(ann, ben)
