"""The pool and a cluster with real workers: requests are answered even if workers die or hang."""

import asyncio
import signal
import sys
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

import pytest
import pytest_asyncio

from millrace.engine.game import IllegalMoveError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.bots import dispatcher
from millrace.server.bots.dispatcher import PONDER_SECONDS
from millrace.server.bots.requests import BotError, BotRequest, BotStatus, Urgency
from millrace.server.bots.schedule import Order, Schedule, Ticket
from millrace.server.bots.search_workers import WorkerError
from millrace.server.bots.worker import Worker
from millrace.server.runtime import metrics
from tests.server.bots.services import Service, StoppableBots, serving
from tests.server.metric_values import value_of
from tests.waiting import until

pytestmark = [
    pytest.mark.usefixtures("processes"),
    pytest.mark.asyncio(loop_scope="module"),
    # A worker killed between two requests ends a thread of Pebble's with an error.
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.skipif(sys.platform != "linux", reason="finds the workers in /proc"),
]

ANSWER_SECONDS = 5.0
"""Time after the end of a search until a worker counts as hung, in these tests."""


@pytest_asyncio.fixture(
    scope="module", loop_scope="module", params=["pool", pytest.param("cluster", marks=pytest.mark.slow)]
)
async def service(request: pytest.FixtureRequest) -> AsyncIterator[Service]:
    async with serving(request.param, ANSWER_SECONDS) as service:
        yield service


@pytest.fixture
def bots(service: Service) -> StoppableBots:
    return service.bots


of_the_pool = pytest.mark.parametrize("service", ["pool"], indirect=True)
"""For what a cluster leaves to Dask's nannies, which start a worker in seconds, not milliseconds."""

HOURS_MS = 10_000_000
"""Longer than any test: a search of this length must be stopped."""


def request(
    level: int | str = 8,
    movetime_ms: int | None = 1_000,
    moves: tuple[str, ...] = (),
    urgency: Urgency = Urgency.MOVE,
) -> BotRequest:
    return BotRequest("morris", "", moves, level, seed=1, movetime_ms=movetime_ms, urgency=urgency, table="m 0")


def is_legal(move: str) -> bool:
    state = State.of(find_game("morris"))
    return state.parse_move(move) in state.legal_moves


def retries() -> float:
    return value_of(metrics.BOT_REQUEST_RETRIES)


def timeouts() -> float:
    return value_of(metrics.BOT_WORKER_TIMEOUTS)


def running(urgency: str) -> float:
    return value_of(metrics.BOT_REQUESTS_RUNNING.labels(urgency))


def shortened(urgency: str) -> float:
    return value_of(metrics.BOT_REQUESTS_SHORTENED.labels(urgency))


async def withdraw(asking: "asyncio.Task[object]") -> None:
    asking.cancel()
    await asyncio.wait((asking,))


async def until_new_worker(service: Service, before: list[int], or_if: Callable[[], bool] = lambda: False) -> None:
    """Wait for a worker that was not there before, or until a condition holds."""
    await until(lambda: or_if() or not set(service.workers()) <= set(before))


async def test_a_worker_answers_with_a_legal_move(bots: StoppableBots) -> None:
    assert bots.is_ready
    for level in (3, "easy", "hunter"):
        assert is_legal(await bots.choose(request(level=level, movetime_ms=None)))


async def test_a_single_request_gets_the_full_search_of_its_level(bots: StoppableBots) -> None:
    cut = shortened("move")
    for level in (1, 3, 5, 6):
        await bots.choose(request(level=level, movetime_ms=None))
    assert shortened("move") == cut


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_worker_that_dies_or_hangs_costs_a_repeated_request(
    bots: StoppableBots, service: Service, how: signal.Signals
) -> None:
    await bots.choose(request(level=1))
    before = retries()
    asking = asyncio.create_task(bots.choose(request()))
    # A worker that is killed before it has taken the request is replaced without a retry.
    while not asking.done() and retries() == before:
        signalled = service.workers()
        service.signal_workers(how)
        await until_new_worker(service, signalled, or_if=lambda: asking.done() or retries() > before)
    assert is_legal(await asking)
    assert retries() > before


async def test_withdrawing_a_search_ends_it_and_frees_its_worker(bots: StoppableBots, service: Service) -> None:
    before = sorted(service.workers())
    asking = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0)
    cancelled = value_of(metrics.BOT_REQUESTS_CANCELLED.labels("move"))
    asking.cancel()
    # Long enough to need the same worker.
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert asking.cancelled()
    assert value_of(metrics.BOT_REQUESTS_CANCELLED.labels("move")) == cancelled + 1
    assert sorted(service.workers()) == before


async def test_a_request_withdrawn_while_waiting_is_never_searched(bots: StoppableBots) -> None:
    searched = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    waits = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0 and value_of(metrics.BOT_REQUESTS_WAITING.labels("move")) > 0)
    waits.cancel()
    searched.cancel()
    await asyncio.wait((searched, waits))
    assert is_legal(await bots.choose(request(movetime_ms=300)))


async def test_an_exhibition_is_cut_short_for_a_player_and_plays_its_best_move(bots: StoppableBots) -> None:
    cut = shortened("exhibition")
    shown = asyncio.create_task(bots.choose(request(movetime_ms=10_000, urgency=Urgency.EXHIBITION)))
    await until(lambda: running("exhibition") > 0)
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert shown.done()
    assert is_legal(await shown)
    assert shortened("exhibition") == cut + 1


async def test_pondering_gives_way_at_once(bots: StoppableBots) -> None:
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await until(lambda: running("pondering") > 0)
    assert is_legal(await bots.choose(request(movetime_ms=300)))
    assert running("pondering") == 0
    await until(lambda: running("pondering") > 0)  # and goes on once nobody needs the processor
    await withdraw(ahead)


async def test_pondering_waits_for_an_idle_worker(bots: StoppableBots, monkeypatch: pytest.MonkeyPatch) -> None:
    ponder, attempts = Schedule.ponder, list[Ticket]()

    def counted(schedule: Schedule, ticket: Ticket, seconds: float, now: float) -> list[Order]:
        attempts.append(ticket)
        return ponder(schedule, ticket, seconds, now)

    monkeypatch.setattr(Schedule, "ponder", counted)
    monkeypatch.setattr(dispatcher, "PONDER_AGAIN_SECONDS", 0)
    asking = asyncio.create_task(bots.choose(request(movetime_ms=HOURS_MS)))
    await until(lambda: running("move") > 0)
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await until(lambda: len(attempts) >= 3)
    assert running("pondering") == 0
    await withdraw(asking)
    await until(lambda: running("pondering") > 0)
    await withdraw(ahead)


async def test_a_finished_search_is_not_pondered_again(bots: StoppableBots) -> None:
    won = replace(request(), setup="WW............W...BB...B w 0 0")
    await asyncio.wait_for(bots.ponder(won), PONDER_SECONDS / 2)


async def test_an_invalid_request_is_not_repeated(bots: StoppableBots) -> None:
    before = retries()
    with pytest.raises(IllegalMoveError):
        await bots.choose(request(moves=("d6", "d6")))
    assert retries() == before


@of_the_pool
async def test_a_request_that_every_worker_dies_of_is_given_up(
    bots: StoppableBots, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def die(*_: object) -> object:
        raise WorkerError("The worker died.")

    monkeypatch.setattr(Worker, "search", die)
    with pytest.raises(BotError):
        await bots.choose(request(movetime_ms=300))


@of_the_pool
async def test_while_workers_die_at_their_start_requests_wait_and_analyses_are_refused(
    bots: StoppableBots, service: Service
) -> None:
    asking = asyncio.create_task(bots.choose(request(movetime_ms=1_000)))
    while not (bots.trouble and bots.waiting_games):
        if asking.done():  # given up, as its workers were killed in the middle of it and not at their start
            await withdraw(asking)
            asking = asyncio.create_task(bots.choose(request(movetime_ms=1_000)))
        service.signal_workers(signal.SIGKILL)
        await asyncio.sleep(0.005)
    assert bots.status is BotStatus.UNAVAILABLE
    with pytest.raises(BotError, match="A process"):
        await bots.analyse(request(urgency=Urgency.ANALYSIS))
    assert is_legal(await asking)
    await until(lambda: bots.status is BotStatus.READY and not bots.trouble)


@of_the_pool
@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGSTOP])
async def test_a_worker_that_dies_or_hangs_as_it_starts_is_replaced(
    bots: StoppableBots, service: Service, how: signal.Signals
) -> None:
    for delay_seconds in (0, 0.003, 0.03):  # different moments of a worker's start
        before = service.workers()
        service.signal_workers(signal.SIGKILL)
        asking = asyncio.create_task(bots.choose(request(movetime_ms=300)))
        await until_new_worker(service, before)
        await asyncio.sleep(delay_seconds)
        service.signal_workers(how)
        assert is_legal(await asking)


async def test_a_worker_that_hangs_while_pondering_delays_a_request_no_longer_than_another(
    bots: StoppableBots,
    service: Service,
) -> None:
    before = timeouts()
    ahead = asyncio.create_task(bots.ponder(request(moves=("d6",))))
    await until(lambda: running("pondering") > 0)
    service.signal_workers(signal.SIGSTOP)
    choosing = asyncio.create_task(bots.choose(request(movetime_ms=300)))
    async with asyncio.timeout(PONDER_SECONDS):  # by its pondering time alone, it would be overdue only then
        await until(lambda: timeouts() > before)
    assert is_legal(await choosing)
    await withdraw(ahead)


async def test_a_worker_that_hangs_before_it_is_asked_is_counted_as_overdue(
    bots: StoppableBots, service: Service
) -> None:
    await bots.choose(request(level=1))
    before = timeouts()
    service.signal_workers(signal.SIGSTOP)
    assert is_legal(await bots.choose(request(level=1)))
    assert timeouts() > before


async def test_after_all_failures_the_bots_still_answer(bots: StoppableBots) -> None:
    assert is_legal(await bots.choose(request(level=2)))
