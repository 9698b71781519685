"""The compile processes: they run requested jobs, are replaced when they die, and leave nothing behind."""

import asyncio
import os
import signal
import sys
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import pytest

from millrace.engine.bits import kernel
from millrace.engine.game import Board, Game, Position
from millrace.engine.games import GAMES, morris
from millrace.engine.kernel_cache import OFF, VARIABLE, kernels_folder
from millrace.server.bots import compile_process
from millrace.server.bots.compiler import ATTEMPTS, CompileError, Compiler, Job, jobs_in_order, kernel_cache
from tests.processes import children_of

FIRST = next(iter(GAMES))

pytestmark = [
    pytest.mark.skipif(sys.platform != "linux", reason="finds the processes in /proc"),
    pytest.mark.usefixtures("processes"),
]


@pytest.fixture
async def compiler() -> AsyncIterator[Compiler]:
    compiler = Compiler(processes=1)
    yield compiler
    await compiler.close()


def compile_processes() -> list[int]:
    """Return the compile processes that this process has started."""
    found = []
    for child in children_of(os.getpid()):
        with suppress(FileNotFoundError, ProcessLookupError):  # it may end meanwhile
            if b"compile_process" in Path(f"/proc/{child}/cmdline").read_bytes():
                found.append(child)
    return found


async def next_process() -> int:
    """Return a compile process, as soon as there is one."""
    while not (found := compile_processes()):  # noqa: ASYNC110  # processes have no event to wait for
        await asyncio.sleep(0)
    return found[0]


async def kill_next_process() -> None:
    process = await next_process()
    os.kill(process, signal.SIGKILL)
    while process in compile_processes():  # noqa: ASYNC110  # as above
        await asyncio.sleep(0)


def test_the_first_game_comes_first_and_rules_before_searches() -> None:
    jobs = jobs_in_order()
    assert jobs[:2] == (Job("rules", FIRST), Job("search", FIRST))
    assert sorted(jobs) == sorted(Job(step, game) for step in ("rules", "search") for game in GAMES)
    assert [job.step for job in jobs[2:]] == sorted(job.step for job in jobs[2:])


async def test_a_compile_process_that_is_killed_is_replaced(compiler: Compiler) -> None:
    compiling = asyncio.create_task(compiler.compile(Job("rules", FIRST)))
    await kill_next_process()
    await compiling


async def test_a_job_that_kills_every_process_is_reported(compiler: Compiler) -> None:
    compiling = asyncio.create_task(compiler.compile(Job("rules", FIRST)))
    for _ in range(ATTEMPTS):
        await kill_next_process()
    with pytest.raises(CompileError, match=FIRST):
        await compiling


def test_a_game_whose_code_does_not_compile_is_reported_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    kernels = morris.GAME.rules.kernels._replace(is_irreversible=faulty)
    game = replace(morris.GAME, rules=replace(morris.GAME.rules, kernels=kernels))
    monkeypatch.setattr(compile_process, "find_game", lambda _name: game)
    reason = compile_process.why_not_compiled("rules", "faulty")
    assert "Unknown attribute 'words'" in reason
    assert "\n" not in reason


def test_want_of_memory_is_not_the_fault_of_a_game(monkeypatch: pytest.MonkeyPatch) -> None:
    def run_out(_game: Game) -> None:
        raise MemoryError

    monkeypatch.setitem(compile_process.STEPS, "rules", run_out)
    with pytest.raises(MemoryError):
        compile_process.why_not_compiled("rules", FIRST)


@kernel
def faulty(_board: Board, position: Position, _move: int) -> bool:
    return len(position.words) > 0


async def test_a_closed_compiler_leaves_no_process(compiler: Compiler) -> None:
    compiling = asyncio.create_task(compiler.compile(jobs_in_order()[-1]))
    await next_process()
    await compiler.close()
    assert compile_processes() == []
    with pytest.raises(asyncio.CancelledError):
        await compiling


def test_without_a_kernel_cache_kernels_are_handed_over_in_a_temporary_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(VARIABLE, OFF)
    kernels_folder.cache_clear()
    with kernel_cache():
        folder = kernels_folder()
        assert folder is not None
        assert folder.is_relative_to(os.environ[VARIABLE])
    assert not folder.exists()
    assert os.environ[VARIABLE] == OFF
    monkeypatch.undo()
    kernels_folder.cache_clear()
