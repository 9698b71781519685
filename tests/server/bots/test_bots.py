"""The bots' pool: real workers, and what becomes of a request when they are killed, stopped or asked nonsense."""

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from multiprocessing import forkserver
from pathlib import Path

import pytest
import pytest_asyncio

from millrace.engine.game import IllegalMoveError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server import metrics
from millrace.server.bots.pool import PONDER_AGAIN_SECONDS, PONDER_SECONDS, BotPool
from millrace.server.bots.requests import BotError, BotRequest, Urgency

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    # A worker killed between two requests ends a thread of Pebble's with an error.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc"),
]

ANSWER_SECONDS = 2.0
"""So long a worker is waited for here, past its thinking."""


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def bots() -> AsyncIterator[BotPool]:
    pool = BotPool(workers=1, answer_seconds=ANSWER_SECONDS)
    await pool.start()
    yield pool
    await pool.close()


HOURS_MS = 10_000_000
"""No test would end that waited for a search of so long."""


def request(
    level: int | str = 8,
    movetime_ms: int | None = 1_000,
    moves: tuple[str, ...] = (),
    urgency: Urgency = Urgency.MOVE,
) -> BotRequest:
    return BotRequest("morris", "", moves, level, seed=1, movetime_ms=movetime_ms, urgency=urgency, table="m 0")


def children_of(parent: int) -> list[int]:
    """Return the processes that another has started."""
    children = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = status.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == parent:
            children.append(int(status.parent.name))
    return children


def workers() -> list[int]:
    """Return the pool's workers: the children of this process's fork server."""
    fork_server = forkserver._forkserver._forkserver_pid  # type: ignore[attr-defined]  # nothing public names it
    return children_of(fork_server)


def signal_workers(how: signal.Signals) -> None:
    for worker in workers():
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, how)


def is_legal(move: str) -> bool:
    state = State.of(find_game("morris"))
    return state.parse_move(move) in state.legal_moves


def retries() -> float:
    return float(metrics.BOT_RETRIES._value.get())


def timeouts() -> float:
    return float(metrics.BOT_TIMEOUTS._value.get())


def running(urgency: str) -> float:
    return float(metrics.BOTS_RUNNING.labels(urgency)._value.get())


async def until(holds: Callable[[], bool]) -> None:
    while not holds():  # noqa: ASYNC110  # what is counted for operators tells nobody when it changes
        await asyncio.sleep(0)


async def withdraw(asking: "asyncio.Task[object]") -> None:
    asking.cancel()
    await asyncio.wait((asking,))


async def until_replaced(before: list[int]) -> None:
    while set(workers()) <= set(before):  # noqa: ASYNC110  # a process that has started tells nobody
        await asyncio.sleep(0)


async def test_a_worker_answers_with_a_legal_move(bots: BotPool) -> None:
    assert bots.is_ready
    for level in (3, "easy", "hunter"):
        assert is_legal(await bots.choose(request(level=level, movetime_ms=None)))


async def test_who_is_alone_has_the_whole_of_a_levels_search_which_is_not_counted_as_cut(bots: BotPool) -> None:
    cut = metrics.BOTS_CUT.labels("move")._value.get()
    for level in (1, 3, 5, 6):
        await bots.choose(request(level=level, movetime_ms=None))
    assert metrics.BOTS_CUT.labels("move")._value.get() == cut


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_worker_that_dies_or_hangs_costs_a_repeated_request(bots: BotPool, how: signal.Signals) -> None:
    await bots.choose(request(level=1))
    before = retries()
    asking = asyncio.create_task(bots.choose(request()))
    while not asking.done() and retries() == before:
        signal_workers(how)
        await asyncio.sleep(0.05)
    assert is_legal(await asking)
    assert retries() > before


async def test_a_search_that_is_withdrawn_ends_and_leaves_its_worker_to_others(bots: BotPool) -> None:
    before = sorted(workers())
    asking = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0)
    cancelled = metrics.BOTS_CANCELLED.labels("move")._value.get()
    asking.cancel()
    # Long enough to need the same worker.
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert asking.cancelled()
    assert metrics.BOTS_CANCELLED.labels("move")._value.get() == cancelled + 1
    assert sorted(workers()) == before


async def test_a_request_that_is_withdrawn_while_it_waits_is_never_searched(bots: BotPool) -> None:
    searched = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    waits = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0 and metrics.BOTS_WAITING.labels("move")._value.get() > 0)
    waits.cancel()
    searched.cancel()
    await asyncio.wait((searched, waits))
    assert is_legal(await bots.choose(request(movetime_ms=300)))


async def test_an_exhibition_is_cut_short_for_a_person_and_plays_what_it_has_found(bots: BotPool) -> None:
    cut = metrics.BOTS_CUT.labels("exhibition")._value.get()
    shown = asyncio.create_task(bots.choose(request(movetime_ms=10_000, urgency=Urgency.EXHIBITION)))
    await until(lambda: running("exhibition") > 0)
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert shown.done()
    assert is_legal(await shown)
    assert metrics.BOTS_CUT.labels("exhibition")._value.get() == cut + 1


async def test_who_thinks_ahead_gives_way_at_once(bots: BotPool) -> None:
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await until(lambda: running("pondering") > 0)
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert running("pondering") == 0
    await until(lambda: running("pondering") > 0)  # and goes on once nobody needs the processor
    await withdraw(ahead)


async def test_nobody_thinks_ahead_before_a_worker_has_ended_its_search(bots: BotPool) -> None:
    asking = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0)
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await asyncio.sleep(2 * PONDER_AGAIN_SECONDS)
    assert running("pondering") == 0
    await withdraw(asking)
    await until(lambda: running("pondering") > 0)
    await withdraw(ahead)


async def test_what_is_thought_to_its_end_is_not_thought_again(bots: BotPool) -> None:
    won = replace(request(), setup="WW............W...BB...B w 0 0")
    await asyncio.wait_for(bots.ponder(won), PONDER_SECONDS / 2)


async def test_a_request_that_makes_no_sense_is_not_repeated(bots: BotPool) -> None:
    before = retries()
    with pytest.raises(IllegalMoveError):
        await bots.choose(request(moves=("d6", "d6")))
    assert retries() == before


async def test_a_pool_whose_workers_always_die_gives_up_with_an_error(bots: BotPool) -> None:
    asking = asyncio.create_task(bots.choose(request(movetime_ms=1_000)))
    while not asking.done():
        signal_workers(signal.SIGKILL)
        await asyncio.sleep(0.01)
    with pytest.raises(BotError):
        await asking


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_worker_that_dies_or_hangs_as_it_starts_is_replaced(bots: BotPool, how: signal.Signals) -> None:
    for delay_seconds in (0, 0.003, 0.03):
        before = workers()
        signal_workers(signal.SIGKILL)
        asking = asyncio.create_task(bots.choose(request(movetime_ms=300)))
        await until_replaced(before)
        await asyncio.sleep(delay_seconds)
        signal_workers(how)
        assert is_legal(await asking)


async def test_whoever_needs_a_worker_that_hangs_while_it_thinks_ahead_waits_no_longer_than_for_another(
    bots: BotPool,
) -> None:
    before = timeouts()
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await until(lambda: running("pondering") > 0)
    signal_workers(signal.SIGSTOP)
    # It had time to think ahead for so long, and would be overdue after that only.
    move = await asyncio.wait_for(bots.choose(request(movetime_ms=300)), PONDER_SECONDS)
    assert is_legal(move)
    assert timeouts() > before
    await withdraw(ahead)


async def test_a_worker_that_hangs_before_it_is_asked_is_counted_as_overdue(bots: BotPool) -> None:
    await bots.choose(request(level=1))
    before = timeouts()
    signal_workers(signal.SIGSTOP)
    assert is_legal(await bots.choose(request(level=1)))
    assert timeouts() > before


async def test_after_all_that_the_pool_still_answers(bots: BotPool) -> None:
    assert is_legal(await bots.choose(request(level=2)))
