"""An engine in its own process, controlled by the line protocol of `docs/engine.md`.

No rules here: positions and moves are texts.
"""

import asyncio
import os
import re
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from millrace.server.runtime.child_process import kill_child, start_child

START_SECONDS = 300.0
"""Time for an engine to become ready; compiling on a busy machine takes long."""
QUIT_SECONDS = 2.0
LONGEST_LINE = 1 << 20

PROCESS_CLOCK = 2
"""From Linux's <linux/posix-timers.h>: with the inverted number of a process, the clock of its processor time."""


class EngineFailure(Exception):  # noqa: N818  # what an engine does, not an error of this program
    """An engine ended, was silent too long, or reported an error. The text continues after the engine's name."""


class Limit(NamedTuple):
    """The limit of each move: the arguments of `go`, and when silence is a failure."""

    name: str
    """`movetime` (in milliseconds), `nodes` or `depth`."""
    value: int
    timeout_s: float
    """Seconds beyond its move time, if time is the limit."""

    @property
    def movetime_ms(self) -> int | None:
        """The time for a move, where time is the limit."""
        return self.value if self.name == "movetime" else None

    @property
    def silence_s(self) -> float:
        """Seconds of silence after which an engine has failed."""
        return self.timeout_s + (self.movetime_ms or 0) / 1000


@dataclass(frozen=True)
class Program:
    """How to start an engine."""

    name: str
    """For tables."""
    command: Sequence[str]
    folder: str | None = None
    """Its working directory; by default the present one."""
    options: Mapping[str, str] = field(default_factory=dict)


class Answer(NamedTuple):
    """The answer to `go`."""

    move: str
    elapsed_ms: float
    nodes: int
    """By the engine's last report; 0 without one."""
    processor_ms: float
    """0 where the system does not say."""


def program_of(name: str, command: str, game: str, folder: str | None, options: Sequence[str]) -> Program:
    """Return the program of a command line; `{game}` is replaced by the game's name.

    A first word `millrace` runs that command with this Python from `folder`, so that an older checkout can play.
    Options are `NAME=VALUE`. Raises: ValueError for an option without `=` or an empty command.
    """
    words = [word.replace("{game}", game) for word in shlex.split(command)]
    if not words:
        raise ValueError("an engine needs a command")
    if words[0] == "millrace":
        words[:1] = [sys.executable, "-m", "millrace.server.app.cli"]
    if any("=" not in option for option in options):
        raise ValueError(f"options are NAME=VALUE: {' '.join(options)}")
    return Program(name, words, folder, dict(option.split("=", 1) for option in options))


class Engine:
    """A running engine, started at its first use and restarted after a failure."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._process: asyncio.subprocess.Process | None = None
        self._nodes = 0
        """Those that the search in progress has reported."""

    async def begin_match(self) -> None:
        """Prepare the engine for another match. Raises: EngineFailure."""
        if self._process is None:
            await self._start()
        self._send("ucinewgame")
        await self._be_ready()

    async def choose(self, setup: str, moves: Sequence[str], limit: Limit) -> Answer:
        """Return the move that the engine plays after `moves` from a set-up. Raises: EngineFailure."""
        position = f"text {setup}" if setup else "startpos"
        self._send(f"position {position}{' moves ' if moves else ''}{' '.join(moves)}")
        # Not part of the time: the engine may still be reading the position when `go` is written.
        await self._be_ready()
        self._nodes, busy_s, began = 0, self._processor_s(), time.perf_counter()
        self._send(f"go {limit.name} {limit.value}")
        words = (await self._hear("bestmove", limit.silence_s)).split()
        if len(words) < 2:
            raise EngineFailure("answered without a move")
        elapsed_s, busy_s = time.perf_counter() - began, self._processor_s() - busy_s
        return Answer(words[1], elapsed_s * 1000, self._nodes, busy_s * 1000)

    async def close(self) -> None:
        """Stop the process: by `quit` if possible."""
        process, self._process = self._process, None
        if process is None:
            return
        try:
            async with asyncio.timeout(QUIT_SECONDS):
                assert process.stdin is not None
                process.stdin.write(b"quit\n")
                process.stdin.close()
                await process.wait()
        except (TimeoutError, OSError):
            pass
        finally:
            await kill_child(process)

    async def kill(self) -> None:
        """Kill the process after a failure."""
        process, self._process = self._process, None
        if process is not None:
            await kill_child(process)

    async def _start(self) -> None:
        try:
            self._process = await start_child(
                *self.program.command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                cwd=self.program.folder,
                env={**os.environ, "PYTHONUNBUFFERED": "1"},
                limit=LONGEST_LINE,
            )
        except OSError as error:
            raise EngineFailure(f"could not be started: {error}") from None
        self._send("uci")
        await self._hear("uciok", START_SECONDS)
        for name, value in self.program.options.items():
            self._send(f"setoption name {name} value {value}")
        await self._be_ready()

    async def _be_ready(self) -> None:
        self._send("isready")
        await self._hear("readyok", START_SECONDS)

    def _processor_s(self) -> float:
        """Return the processor time of the process so far; 0 where the system does not say."""
        if self._process is None or sys.platform != "linux":
            return 0.0
        try:
            return time.clock_gettime((~self._process.pid << 3) | PROCESS_CLOCK)
        except OSError:  # it has ended
            return 0.0

    def _send(self, line: str) -> None:
        if self._process is None or self._process.stdin is None or self._process.stdin.is_closing():
            raise EngineFailure("is not running")
        self._process.stdin.write(line.encode() + b"\n")

    async def _hear(self, word: str, seconds: float) -> str:
        """Return the next line that begins with this word. Raises: EngineFailure."""
        assert self._process is not None
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(seconds):
                while line := (await self._process.stdout.readline()).decode(errors="replace"):
                    if line.startswith("info string error"):
                        raise EngineFailure(f"said: {line.strip()}")
                    if line.split()[:1] == [word]:
                        return line
                    if reported := re.match(r"info (?!string).*\bnodes (\d+)", line):
                        self._nodes = int(reported[1])
                code = await self._process.wait()
        except TimeoutError:
            raise EngineFailure(f"was silent for {seconds:.0f} s") from None
        except (OSError, ValueError) as error:
            raise EngineFailure(f"was not understood: {error}") from None
        raise EngineFailure(f"ended with code {code}")
