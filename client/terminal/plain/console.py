"""The console: reads typed lines, and prints lines above the one being typed."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from getpass import getpass
from shutil import get_terminal_size
from typing import Protocol

try:
    import readline  # its import also makes `input` edit lines
    import termios
except ImportError:  # on Windows
    readline = termios = None  # type: ignore[assignment]

PROMPT = "> "


class Console(Protocol):
    """What the terminal needs of a console."""

    @property
    def width(self) -> int | None:
        """The columns of the terminal; None if lines may be of any length."""

    def say(self, text: str) -> None:
        """Print one or more lines."""

    async def read(self, *, is_secret: bool = False) -> str | None:
        """Return the next typed line, which is shown unless it is secret, or None at the end of input."""


class TerminalConsole:
    """Standard input and output. A partly typed line stays in place when other lines are printed."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._lines: asyncio.Queue[str | None] = asyncio.Queue()
        self._wanted = threading.Semaphore(0)
        self._is_reading = False
        self._is_secret = False
        # `input` cannot be interrupted, so a daemon thread waits in it.
        threading.Thread(target=self._type, daemon=True).start()

    @property
    def width(self) -> int | None:
        """The columns of the terminal; None in a pipe, where each line stays whole."""
        return get_terminal_size().columns if sys.stdout.isatty() else None

    def say(self, text: str) -> None:
        """Print one or more lines above the one being typed."""
        if self._is_reading and sys.stdout.isatty():
            sys.stdout.write(f"\r\033[K{text}\n{PROMPT}{_typed()}")
        else:
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    async def read(self, *, is_secret: bool = False) -> str | None:
        """Return the next typed line, which is shown unless it is secret, or None at the end of input."""
        self._is_secret, self._is_reading = is_secret, not is_secret
        self._wanted.release()
        try:
            return await self._lines.get()
        finally:
            self._is_reading = False

    def _type(self) -> None:
        line: str | None = ""
        while line is not None:
            self._wanted.acquire()
            prompt = PROMPT if sys.stdout.isatty() else ""
            try:
                line = getpass(PROMPT) if self._is_secret and sys.stdin.isatty() else input(prompt)
            except EOFError:
                line = None
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _typed() -> str:
    """Return the partly typed line, if the platform knows it."""
    return "" if readline is None else readline.get_line_buffer()


@contextmanager
def terminal_kept() -> Iterator[None]:
    """Restore the terminal's mode on leaving, even in the middle of a typed line."""
    if termios is None or not sys.stdin.isatty():
        yield
        return
    found = termios.tcgetattr(sys.stdin)
    try:
        yield
    finally:
        termios.tcsetattr(sys.stdin, termios.TCSANOW, found)
