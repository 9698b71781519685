"""The console: reads typed lines, and prints lines above the one being typed."""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from getpass import getpass
from shutil import get_terminal_size
from typing import Protocol

try:
    import readline  # its import also makes `input` edit lines
    import termios
except ImportError:  # on Windows
    readline = termios = None  # type: ignore[assignment]

PROMPT = "> "
_TO_LINE_START = "\n" if os.environ.get("TERM") == "dumb" else "\r\033[K"
"""Before lines that are printed above a partly typed one: clears it, where the terminal can."""


class Console(Protocol):
    """What the terminal needs of a console."""

    complete: Callable[[str], list[str]]
    """Returns the words that can stand in place of the last one of a partly typed line."""

    @property
    def has_utf8(self) -> bool:
        """Whether more than ASCII can be printed."""

    @property
    def width(self) -> int | None:
        """The columns of the terminal; None if lines may be of any length."""

    @property
    def is_interactive(self) -> bool:
        """Whether a person types the lines, who sees what they lead to before the next one."""

    @property
    def is_typing(self) -> bool:
        """Whether a line has been begun."""

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
        """Whether the prompt is shown, and a line can be typed after it."""
        self._is_secret = False
        self._prompt = PROMPT if self.is_interactive and sys.stdout.isatty() else ""
        self.complete: Callable[[str], list[str]] = lambda _: []
        if readline is not None:
            self._complete_by_tab()
        if termios is not None and sys.stdin.isatty():
            self._loop.add_signal_handler(signal.SIGTSTP, self._suspend)
        # A read cannot be interrupted, so a daemon thread waits in it.
        threading.Thread(target=self._type, args=(_line_reader(),), daemon=True).start()

    @property
    def has_utf8(self) -> bool:
        """Whether more than ASCII can be printed."""
        return "utf" in sys.stdout.encoding.lower()

    @property
    def width(self) -> int | None:
        """The columns of the terminal; None in a pipe, where each line stays whole."""
        return get_terminal_size().columns if sys.stdout.isatty() else None

    @property
    def is_interactive(self) -> bool:
        """Whether a person types the lines, who sees what they lead to before the next one."""
        return sys.stdin.isatty()

    @property
    def is_typing(self) -> bool:
        """Whether a line has been begun; False where the platform does not say."""
        return self._is_reading and bool(_typed())

    def say(self, text: str) -> None:
        """Print one or more lines above the one being typed."""
        if self._is_reading and self._prompt:
            sys.stdout.write(f"{_TO_LINE_START}{text}\n{self._prompt}{_typed()}")
        else:
            sys.stdout.write(f"{text}\n")
        sys.stdout.flush()

    async def read(self, *, is_secret: bool = False) -> str | None:
        """Return the next typed line, which is shown unless it is secret, or None at the end of input."""
        self._is_secret = is_secret
        self._wanted.release()
        line = await self._lines.get()
        if line is None:
            # The thread has ended, and every later read is at the end too.
            self._lines.put_nowait(None)
        return line

    def _complete_by_tab(self) -> None:
        def completed(_: str, index: int) -> str | None:
            words = self.complete(readline.get_line_buffer()[: readline.get_endidx()])
            return [*words, None][index] if len(words) != 1 else [f"{words[0]} ", None][index]

        readline.set_completer_delims(" ")
        readline.set_completer(completed)
        readline.parse_and_bind(
            "bind ^I rl_complete" if readline.__doc__ and "libedit" in readline.__doc__ else "tab: complete"
        )

    def _suspend(self) -> None:
        """Stop the process until the shell continues it (Ctrl+Z), and take the terminal's mode and the line back then:
        the shell restores neither.
        """
        mode = termios.tcgetattr(sys.stdin)
        os.kill(os.getpid(), signal.SIGSTOP)
        termios.tcsetattr(sys.stdin, termios.TCSANOW, mode)
        if self._is_reading:
            sys.stdout.write(f"{self._prompt}{_typed()}")
            sys.stdout.flush()

    def _type(self, read_line: Callable[[str], str | None]) -> None:
        line: str | None = ""
        while line is not None:
            self._wanted.acquire()
            if self._is_secret and sys.stdin.isatty():
                line = _or_none_at_end(getpass, PROMPT)
            else:
                self._is_reading = True
                line = read_line(self._prompt)
                self._is_reading = False
            self._loop.call_soon_threadsafe(self._lines.put_nowait, line)


def _line_reader() -> Callable[[str], str | None]:
    """Return a function that prints a prompt and returns the next line of standard input, or None at its end.

    Without a terminal it reads past Python's buffer: Python cannot exit while a thread waits in that.
    """
    if sys.stdin.isatty() and sys.stdout.isatty():
        return partial(_or_none_at_end, input)

    def read_line(prompt: str) -> str | None:
        sys.stdout.write(prompt)
        sys.stdout.flush()
        return read_piped_line()

    return read_line


def read_piped_line() -> str | None:
    """Return the next line of standard input past Python's buffer, or None at its end."""
    with os.fdopen(sys.stdin.fileno(), "rb", buffering=0, closefd=False) as unbuffered:
        line = unbuffered.readline()
    return line.decode(sys.stdin.encoding, "replace").rstrip("\r\n") if line else None


def _or_none_at_end(read: Callable[[str], str], prompt: str) -> str | None:
    try:
        return read(prompt)
    except EOFError:
        return None


def _typed() -> str:
    """Return the partly typed line, if the platform knows it."""
    return "" if readline is None else readline.get_line_buffer()


def tolerate_any_text(has_utf8: bool) -> None:
    """Let bytes that are no text, and characters that the terminal lacks, end nothing. Call it before any input.

    Python itself prints UTF-8 also where the locale is C (PEP 540).
    """
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding=None if has_utf8 or stream is sys.stdin else "ascii", errors="replace")


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
