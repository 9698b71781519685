"""The terminal itself: where lines are typed, and where lines appear while one is being typed."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

try:
    import readline  # its import also makes `input` edit lines
    import termios
except ImportError:  # on Windows
    readline = termios = None  # type: ignore[assignment]

PROMPT = "> "


class Console(Protocol):
    """Whoever types and reads."""

    def say(self, words: str) -> None:
        """Show a line, or several."""

    async def read(self) -> str | None:
        """Return the next line that is typed; None when no more will come."""


class TerminalConsole:
    """Standard input and output; what is being typed is kept when something else appears."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._is_reading = False
        # `input` cannot be interrupted: a thread that ends with the process waits in it.
        threading.Thread(target=self._type, daemon=True).start()

    def say(self, words: str) -> None:
        """Show a line, or several, above the one that is being typed."""
        if self._is_reading and sys.stdout.isatty():
            sys.stdout.write(f"\r\033[K{words}\n{PROMPT}{_typed()}")
        else:
            sys.stdout.write(f"{words}\n")
        sys.stdout.flush()

    async def read(self) -> str | None:
        """Return the next line that is typed; None at the end of input."""
        self._is_reading = True
        self._wanted.release()
        try:
            return await self._lines.get()
        finally:
            self._is_reading = False

    def _type(self) -> None:
        line: str | None = ""
        while line is not None:
            self._wanted.acquire()
            try:
                line = input(PROMPT if sys.stdout.isatty() else "")
            except EOFError:
                line = None
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _typed() -> str:
    """Return what has been typed of the line so far, where the platform tells."""
    return "" if readline is None else readline.get_line_buffer()


@contextmanager
def terminal_kept() -> Iterator[None]:
    """Leave the terminal as it was found, though a line is still being typed."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    found = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, found)
