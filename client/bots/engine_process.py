"""A process with an engine that speaks the line protocol: UCI with the positions and moves of Millrace.

`millrace engine` is such an engine.
"""

import asyncio
from asyncio import IncompleteReadError, LimitOverrunError, StreamReader
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from typing import Self

from .child_process import kill_child, start_child
from .go_limits import GoLimits

READY_S = 120.0
"""Maximum time for an engine to start."""
GRACE_S = 10.0
"""Time after the end of a search until an engine counts as hung."""


class EngineFailureError(Exception):
    """An engine could not be started, has ended, hangs, or violates the protocol."""


class EngineProcess:
    """An engine that is ready."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._turn = asyncio.Lock()
        self._owed = 0
        """Number of searches without an answer, including cancelled ones."""

    @classmethod
    async def start(cls, command: Sequence[str], options: Mapping[str, str]) -> Self:
        """Start an engine, set its options, and return when it is ready. Raises: EngineFailureError."""
        try:
            process = await start_child(*command, stdin=PIPE, stdout=PIPE)
        except OSError as error:
            raise EngineFailureError(f"The engine {command[0]} cannot be started: {error.strerror or error}.") from None
        engine = cls(process)
        try:
            engine._send("uci")
            await engine._receive("uciok", READY_S)
            for name, value in options.items():
                engine._send(f"setoption name {name} value {value}")
            engine._send("isready")
            await engine._receive("readyok", READY_S)
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def is_running(self) -> bool:
        """Whether the process is running."""
        return self._process.returncode is None

    def begin_match(self) -> None:
        """Announce a new match."""
        self._send("ucinewgame")

    async def best_move(self, setup: str, moves: Sequence[str], limits: GoLimits) -> str:
        """Return the engine's move after some moves from a set-up text, which is empty for the usual start.

        Cancelling this call stops the search. Raises: EngineFailureError.
        """
        async with self._turn:
            words = await self._search(setup, moves, limits)
        if len(words) < 2 or words[1] == "(none)":
            raise EngineFailureError("The engine found no move.")
        return words[1]

    async def _search(self, setup: str, moves: Sequence[str], limits: GoLimits) -> list[str]:
        """Run a search and return the words of its answer."""
        start = f"text {setup}" if setup else "startpos"
        self._send(f"position {start} moves {' '.join(moves)}" if moves else f"position {start}")
        self._send(f"go {limits.arguments}")
        self._owed += 1
        try:
            while True:
                words = (await self._receive("bestmove", limits.most_ms / 1000 + GRACE_S)).split()
                self._owed -= 1
                if not self._owed:
                    return words
        except asyncio.CancelledError:
            self._send("stop")
            raise

    async def close(self) -> None:
        """Ask the engine to quit, and kill it if it does not."""
        self._send("quit")
        try:
            async with asyncio.timeout(1):
                await self._process.wait()
        except TimeoutError:
            pass
        finally:
            await kill_child(self._process)

    def _send(self, line: str) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    async def _receive(self, word: str, patience_s: float) -> str:
        """Return the next line that starts with a word. Raises: EngineFailureError."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(patience_s):
                while line := (await _read_line(self._process.stdout)).decode(errors="replace"):
                    if line.split()[:1] == [word]:
                        return line
                code = await self._process.wait()
        except TimeoutError:
            raise EngineFailureError(f"The engine did not answer {word} within {patience_s:g} s.") from None
        raise EngineFailureError(f"The engine ended with exit code {code}.")


async def _read_line(output: StreamReader) -> bytes:
    """Return the next line, without those that are too long to be answers; empty at the end of the output."""
    is_too_long = False
    while True:
        try:
            line = await output.readuntil()
        except IncompleteReadError as end:
            return b"" if is_too_long else end.partial
        except LimitOverrunError as error:
            await output.readexactly(error.consumed)
            is_too_long = True
            continue
        if not is_too_long:
            return line
        is_too_long = False
