"""Compiles rules and searches in separate processes, so that the server stays responsive and can stop at any time.

The server and the bots' workers then load the result from the kernel cache.
"""

import asyncio
import contextlib
import os
import sys
import tempfile
from asyncio.subprocess import PIPE, Process
from collections import deque
from collections.abc import Iterator
from typing import NamedTuple

import structlog

from millrace.engine.faults import GameFaultError
from millrace.engine.games import GAMES
from millrace.engine.kernel_cache import VARIABLE, kernels_folder

from ..runtime.cancellation import cancel_and_wait
from ..runtime.child_process import PERHAPS, START_ERRORS, kill_child, start_child, why_not_started

log = structlog.get_logger()

ATTEMPTS = 3
"""Maximum attempts to compile something: a process may be killed, for example when memory is short."""

RETRY_SECONDS = 5.0
"""Pause before another attempt to start a process."""

MAX_PROCESSES = 2
"""More would not be faster: a few large kernels take most of the time."""


class CompileError(Exception):
    """The compiling process died in several attempts, or there is no folder for what it compiles."""


class FaultyRulesError(CompileError, GameFaultError):
    """A game's code does not compile, or not to anything that other processes can load. No attempt is repeated."""


class Job(NamedTuple):
    """Something to compile."""

    step: str
    """`rules` or `search`; see `server.bots.compile_process.STEPS`."""
    game: str


def jobs_in_order() -> tuple[Job, ...]:
    """Return the jobs in order: first everything that the first game needs, then rules before searches."""
    first, *others = GAMES
    begin = (Job("rules", first), Job("search", first))
    return (*begin, *(Job("rules", game) for game in others), *(Job("search", game) for game in others))


class Compiler:
    """Compiles everything once the first job is requested."""

    def __init__(self, processes: int | None = None) -> None:
        self._number = processes or min(MAX_PROCESSES, os.cpu_count() or 1)
        self._waiting: deque[Job] = deque()
        self._results: dict[Job, asyncio.Future[None]] = {}
        self._attempts: dict[Job, int] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self.trouble = ""
        """Why the last attempt to compile something failed, as a sentence; empty if it succeeded."""

    async def compile(self, job: Job) -> None:
        """Return when something is compiled, in further attempts if earlier ones failed. Raises: CompileError."""
        if kernels_folder() is None:
            raise CompileError("There is no folder that can keep compiled code.")
        if not self._tasks:
            self._begin()
        elif self._results[job].done() and self._may_try_again(self._results[job].exception()):
            self._begin_again(job)
        await asyncio.shield(self._results[job])

    async def close(self) -> None:
        """Kill the processes. Waiting jobs are cancelled."""
        await cancel_and_wait(self._tasks)
        for result in self._results.values():
            result.cancel()

    def _begin(self) -> None:
        self._waiting.extend(jobs_in_order())
        self._results = {job: asyncio.get_running_loop().create_future() for job in self._waiting}
        self._tasks = [asyncio.create_task(self._run()) for _ in range(self._number)]

    @staticmethod
    def _may_try_again(error: BaseException | None) -> bool:
        return error is not None and not isinstance(error, FaultyRulesError)

    def _begin_again(self, job: Job) -> None:
        self._attempts[job] = 0
        self._results[job] = asyncio.get_running_loop().create_future()
        self._waiting.append(job)
        self._tasks.append(asyncio.create_task(self._run()))

    async def _run(self) -> None:
        """Run the waiting jobs in a process that is replaced if it dies."""
        while self._waiting:
            try:
                process = await start_child(
                    *(sys.executable, "-m", "millrace.server.bots.compile_process"), stdin=PIPE, stdout=PIPE
                )
            except START_ERRORS as error:
                self.trouble = why_not_started(error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            try:
                await self._feed(process)
            finally:
                await kill_child(process)

    async def _feed(self, process: Process) -> None:
        """Run the waiting jobs in a process until it dies."""
        assert process.stdin is not None
        assert process.stdout is not None
        while self._waiting:
            job = self._waiting.popleft()
            line = f"{job.step} {job.game}"
            with contextlib.suppress(ConnectionError):
                process.stdin.write(f"{line}\n".encode())
                await process.stdin.drain()
            answer = (await process.stdout.readline()).decode().strip()
            if not answer.startswith(line):
                self._note_failure(job)
                return
            self.trouble = ""
            reason = answer.removeprefix(line).removeprefix(": ")
            if reason:
                self._refuse(job, FaultyRulesError(f"The {job.step} of {job.game} cannot be compiled. {reason}"))
            else:
                self._results[job].set_result(None)

    def _note_failure(self, job: Job) -> None:
        attempts = self._attempts[job] = self._attempts.get(job, 0) + 1
        self.trouble = f"The process that compiles the {job.step} of {job.game} died. {PERHAPS}"
        log.warning("the compile process died", step=job.step, game=job.game, attempt=attempts)
        if attempts < ATTEMPTS:
            self._waiting.appendleft(job)
            return
        self._refuse(job, CompileError(f"The {job.step} of {job.game} could not be compiled."))

    def _refuse(self, job: Job, error: CompileError) -> None:
        self._results[job].set_exception(error)
        self._results[job].exception()  # not every job has a waiting caller


def has_kernels() -> bool:
    """Return whether anything was compiled on this machine before."""
    folder = kernels_folder()
    return folder is not None and any(folder.iterdir())


@contextlib.contextmanager
def kernel_cache() -> Iterator[None]:
    """Give this process and its children a temporary kernel cache if they have none, for passing kernels on.

    Where no folder can be written, there is none.
    """
    folder = _temporary_folder() if kernels_folder() is None else None
    if folder is None:
        yield
        return
    before = os.environ.get(VARIABLE)
    with folder:
        os.environ[VARIABLE] = folder.name
        kernels_folder.cache_clear()
        try:
            yield
        finally:
            _restore(before)


def _temporary_folder() -> "tempfile.TemporaryDirectory[str] | None":
    try:
        return tempfile.TemporaryDirectory(prefix="millrace-kernels-", ignore_cleanup_errors=True)
    except OSError:
        return None


def _restore(value: str | None) -> None:
    if value is None:
        os.environ.pop(VARIABLE, None)
    else:
        os.environ[VARIABLE] = value
    kernels_folder.cache_clear()
