"""An engine that speaks the line protocol, as a process: started, told a position, asked for a move.

The lines are those of UCI with the positions and moves of Millrace, as `millrace engine` speaks them. Which engine
plays which match is `client.bots.engine_pool`' business, which imports this.
"""

import asyncio
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from typing import Self

from .go_limits import GoLimits

READY_S = 120.0
"""An engine may compile or load for so long before it is ready."""
GRACE_S = 10.0
"""An engine that has not answered so long after the end of its time counts as hung."""


class EngineFailureError(Exception):
    """An engine that cannot be started, has ended, hangs, or says what the protocol does not know."""


class EngineProcess:
    """A process that has been started and is ready."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._turn = asyncio.Lock()
        self._owed = 0
        """Answers to searches that were given up, which are still to come."""

    @classmethod
    async def start(cls, command: Sequence[str], options: Mapping[str, str]) -> Self:
        """Start an engine, set its options, and return when it is ready. Raises: EngineFailureError."""
        try:
            process = await asyncio.create_subprocess_exec(*command, stdin=PIPE, stdout=PIPE, start_new_session=True)
        except OSError as error:
            raise EngineFailureError(f"{command[0]} cannot be started: {error}") from None
        engine = cls(process)
        try:
            engine._say("uci")
            await engine._hear("uciok", READY_S)
            for name, value in options.items():
                engine._say(f"setoption name {name} value {value}")
            engine._say("isready")
            await engine._hear("readyok", READY_S)
        except BaseException:
            await engine.close()
            raise
        return engine

    @property
    def is_running(self) -> bool:
        """Whether the process has not ended."""
        return self._process.returncode is None

    def begin_match(self) -> None:
        """Say that what comes is another match."""
        self._say("ucinewgame")

    async def best_move(self, setup: str, moves: Sequence[str], limits: GoLimits) -> str:
        """Return the move that the engine chooses after these moves from a set-up text, empty for the usual start.

        To be cancelled stops the search. Raises: EngineFailureError.
        """
        async with self._turn:
            words = await self._search(setup, moves, limits)
        if len(words) < 2 or words[1] == "(none)":
            raise EngineFailureError("The engine has found no move.")
        return words[1]

    async def _search(self, setup: str, moves: Sequence[str], limits: GoLimits) -> list[str]:
        """Return the words of the answer to a search."""
        start = f"text {setup}" if setup else "startpos"
        self._say(f"position {start} moves {' '.join(moves)}" if moves else f"position {start}")
        self._say(f"go {limits.words}")
        self._owed += 1
        try:
            while True:
                words = (await self._hear("bestmove", limits.most_ms / 1000 + GRACE_S)).split()
                self._owed -= 1
                if not self._owed:
                    return words
        except asyncio.CancelledError:
            self._say("stop")
            raise

    async def close(self) -> None:
        """Let the engine end, and end it if it does not."""
        self._say("quit")
        try:
            async with asyncio.timeout(1):
                await self._process.wait()
        except TimeoutError:
            self._process.kill()
            await self._process.wait()

    def _say(self, line: str) -> None:
        assert self._process.stdin is not None
        if not self._process.stdin.is_closing():
            self._process.stdin.write(line.encode() + b"\n")

    async def _hear(self, word: str, patience_s: float) -> str:
        """Return the next line that begins with a word. Raises: EngineFailureError."""
        assert self._process.stdout is not None
        try:
            async with asyncio.timeout(patience_s):
                while line := (await self._process.stdout.readline()).decode(errors="replace"):
                    if line.split()[:1] == [word]:
                        return line
        except TimeoutError:
            raise EngineFailureError(f"The engine has not said {word} in {patience_s:.0f} s.") from None
        except ValueError:
            raise EngineFailureError("The engine has said a line that does not end.") from None
        code = await self._process.wait()
        raise EngineFailureError(f"The engine has ended with exit code {code}.")
