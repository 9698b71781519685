"""The schedule of the bots' workers: which worker starts which search, for how long, and which search is cut short.

Pure: each event comes with its time, in seconds from any fixed moment, and orders are returned.
`server.bots.dispatcher` carries them out. `tests/server/bots/test_schedule.py` simulates whole days.

**Lanes.** Long searches have as many workers as there are processors. Short searches have a few workers of their own,
so a weak level never waits for a strong one: the operating system favours the process that sleeps most. A long worker
for which nothing waits also takes short searches.

**The promise.** A request is answered within *twice its level's time*, where a level counts as at least
`PATIENCE_SECONDS`; at that moment it is *due*. The time counts from when the request is its owner's oldest one, since a
player with several matches is answered in one after the other. A search is planned to end `DELIVERY_SECONDS` before.
The promise can be kept while it is enough to cut every search ahead to `LEAST_SCALE` of its level's time: with levels'
times ahead of `A` in total on `W` workers, and its own of `T`, while `LEAST_SCALE * (A / W + T) <= 2 * T -
DELIVERY_SECONDS`. A clock that runs out earlier is respected in the same way, with the margin that
`engine.time_management` leaves. Well before that, a request with a running clock should be answered within twice what
the clock can spare for a move.

**How it is kept.** All searches of a class get the same part of their level's time, the *scale*: the largest with which
no head of the queue is late. If the scale falls, running searches end sooner. A worker takes the next head as soon as
it is free, so a search with work `B` before it on `W` workers begins after `B / W` at the latest (Graham, Bounds on
multiprocessing timing anomalies, 1969). Searches that are less urgent than a waiting one are cut to the least.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import count
from math import inf
from typing import NamedTuple, TypeAlias

from .queue import FairQueue
from .requests import Urgency

LEAST_SCALE = 0.05
"""Minimum part of its level's time that a search gets."""

PATIENCE_SECONDS = 0.25
"""Faster levels are answered within twice this time, which feels immediate."""

DELIVERY_SECONDS = 0.05
"""Time between the planned end of a search and its due time, for stopping the search and delivering the answer.
Measured: 13 to 15 ms (p50), 35 to 70 ms (p99) on two processors shared by four programs, with
`python -m benchmarks.bots --people 60` at commit 42e2304."""

SHORT_SECONDS = 0.25
"""Searches up to this time have their own workers."""

LONG_WORKERS_TO_A_SHORT_ONE = 8
TABLES_KEPT = 4
"""Number of transposition tables that a worker keeps."""

BISECTIONS = 6
"""Steps of the search for the scale, which find it to 1/64."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A request that waits or is being searched."""

    urgency: Urgency
    owner: str
    level_seconds: float
    """The level's thinking time on an idle machine."""
    table: str = ""
    """The key of its transposition table. A worker that has the table is preferred."""
    may_use_threads: bool = False
    """Whether to search with all processors if there are no other requests."""
    clock_ends_at: float = inf
    """When its clock runs out."""
    clock_share_seconds: float = inf
    """The time that its clock can spare for this move, including the wait."""
    head_since: float | None = None
    """When it became its owner's oldest request of its class; None before."""

    @property
    def is_short(self) -> bool:
        """Whether it belongs to the workers for short searches."""
        return self.level_seconds <= SHORT_SECONDS

    @property
    def due_at(self) -> float:
        """When its answer is due, once it is a head."""
        return min(self._promised_at, self.clock_ends_at)

    @property
    def search_due_at(self) -> float:
        """When its search must end for the answer to be in time."""
        return min(self._promised_at - DELIVERY_SECONDS, self.clock_ends_at)

    @property
    def wanted_at(self) -> float:
        """When its search should end if it is still waiting, since waiting costs clock time too."""
        assert self.head_since is not None
        return min(self.search_due_at, self.head_since + 2 * max(self.clock_share_seconds, DELIVERY_SECONDS))

    @property
    def _promised_at(self) -> float:
        assert self.head_since is not None
        return self.head_since + 2 * max(self.level_seconds, PATIENCE_SECONDS)

    def ends_at(self, began_at: float, scale: float = 1.0) -> float:
        """Return when a search ends with a part of its level's time, or earlier when its clock runs out."""
        latest = max(self.clock_ends_at, began_at + LEAST_SCALE * self.level_seconds)
        return min(began_at + scale * self.level_seconds, latest)


class Begin(NamedTuple):
    """The order to start a search."""

    worker: int
    ticket: Ticket
    seconds: float
    """The thinking time."""
    threads: int
    is_cut: bool = False
    """Whether this is less than the level's time."""


class End(NamedTuple):
    """The order to end a running search at a time; at once if the time is past."""

    worker: int
    ticket: Ticket
    at: float


Order: TypeAlias = Begin | End


@dataclass(slots=True)
class _Running:
    ticket: Ticket
    began_at: float
    end_at: float

    @property
    def is_cut(self) -> bool:
        """Whether the search ends before its level's time is over. Compares times, since differences are rounded."""
        return self.end_at < self.began_at + self.ticket.level_seconds

    def end_at_scale(self, scale: float) -> float:
        """Return when the search ends if it is cut to a part of its level's time."""
        return min(self.end_at, self.ticket.ends_at(self.began_at, scale))


@dataclass(slots=True)
class _Lane:
    """A group of workers and their waiting searches."""

    workers: list[int] = field(default_factory=list)
    queue: FairQueue[Ticket] = field(default_factory=FairQueue)
    running: dict[int, _Running] = field(default_factory=dict)

    def free_workers(self) -> Iterator[int]:
        return (worker for worker in self.workers if worker not in self.running)

    def scale(self, urgency: Urgency, scales: dict[Urgency, float], now: float) -> float:
        """Return the scale of a class. `scales` are those of the more urgent classes."""
        if self._fits(1.0, urgency, scales, now):
            return 1.0
        low, high = LEAST_SCALE, 1.0
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._fits(middle, urgency, scales, now) else (low, middle)
        return low

    def _fits(self, scale: float, urgency: Urgency, scales: dict[Urgency, float], now: float) -> bool:
        """Return whether no search of a class is late with this scale."""
        scales = {**scales, urgency: scale}
        ahead = 0.0
        for running in self.running.values():
            end_at = running.end_at_scale(scales.get(running.ticket.urgency, LEAST_SCALE))
            if running.ticket.urgency is urgency and end_at > running.ticket.search_due_at:
                return False
            ahead += max(0.0, end_at - now)
        for waiting_urgency, part in scales.items():
            for head in self.queue.heads(waiting_urgency):
                work = part * min(head.level_seconds, head.clock_share_seconds)
                if waiting_urgency is urgency and now + ahead / max(1, len(self.workers)) + work > head.wanted_at:
                    return False
                ahead += work
        return True


def short_workers_beside(processors: int) -> int:
    """Return the number of workers for short searches beside one worker for long searches per processor."""
    return 1 + (processors - 1) // LONG_WORKERS_TO_A_SHORT_ONE


class Schedule:
    """The waiting and running searches, and their workers, numbered from 0 in the order of addition."""

    def __init__(self) -> None:
        self._numbers = count()
        self._long = _Lane()
        self._short = _Lane()
        self._pondering: dict[int, Ticket] = {}
        self._homes: OrderedDict[str, int] = OrderedDict()
        """The worker that has each transposition table."""

    @property
    def workers(self) -> int:
        """The number of workers."""
        return len(self._long.workers) + len(self._short.workers)

    def add_worker(self, *, is_short: bool) -> int:
        """Add a worker, for short searches only if `is_short`, and return its number. Then call `proceed`."""
        worker = next(self._numbers)
        (self._short if is_short else self._long).workers.append(worker)
        return worker

    def remove_worker(self, worker: int) -> None:
        """Forget a worker and its search. Then call `proceed`."""
        for lane in (self._long, self._short):
            if worker in lane.workers:
                lane.workers.remove(worker)
                lane.running.pop(worker, None)
        self._pondering.pop(worker, None)
        for table in [table for table, home in self._homes.items() if home == worker]:
            del self._homes[table]

    def count_waiting(self, urgency: Urgency) -> int:
        """Return the number of waiting searches of a class."""
        return self._long.queue.count(urgency) + self._short.queue.count(urgency)

    def ask(self, ticket: Ticket, now: float) -> list[Order]:
        """Add a search, which starts now or waits."""
        lane = self._short if ticket.is_short else self._long
        lane.queue.push(ticket)
        return self.proceed(now)

    def withdraw(self, ticket: Ticket, now: float) -> list[Order]:
        """Remove a waiting search, or end a running one at once. Its worker is free after `end`."""
        for lane in (self._long, self._short):
            if ticket in lane.queue:
                lane.queue.remove(ticket)
                return self.proceed(now)
            for worker, running in lane.running.items():
                if running.ticket is ticket:
                    running.end_at = now
                    return [End(worker, ticket, now), *self.proceed(now)]
        for worker, pondered in self._pondering.items():
            if pondered is ticket:
                return [self._end_pondering(worker, now)]
        return []

    def end(self, worker: int, ticket: Ticket, now: float) -> list[Order]:
        """Record that a worker has ended a search, with or without an answer."""
        if self._pondering.get(worker) is ticket:
            del self._pondering[worker]
            return []
        for lane in (self._long, self._short):
            if worker in lane.running and lane.running[worker].ticket is ticket:
                del lane.running[worker]
        return self.proceed(now)

    def ponder(self, ticket: Ticket, seconds: float, now: float) -> list[Order]:
        """Ponder on an idle worker, if there is one. The worker still counts as free.

        If there are several processors, one of them never ponders.
        """
        idle = [worker for worker in self._long.free_workers() if worker not in self._pondering]
        if not idle or 0 < len(self._pondering) >= len(self._long.workers) - 1:
            return []
        worker = self._home_of(ticket, idle)
        self._pondering[worker] = ticket
        ticket.head_since = now
        return [Begin(worker, ticket, seconds, 1)]

    # Starting searches

    def proceed(self, now: float) -> list[Order]:
        """Start searches where possible, then cut searches so that all others are in time."""
        begun = [*self._hand_out(self._short, now), *self._hand_out(self._long, now)]
        orders: list[Order] = []
        for worker, _ in begun:
            if worker in self._pondering:
                orders.append(self._end_pondering(worker, now))
        self._record_heads(now)
        cut = [*self._cut(self._long, now), *self._cut(self._short, now)]
        fresh = {id(running) for _, running in begun}
        for worker, running in begun:
            threads = self._threads_for(running.ticket)
            if threads > 1:
                orders += [self._end_pondering(other, now) for other in tuple(self._pondering)]
            orders.append(Begin(worker, running.ticket, running.end_at - now, threads, running.is_cut))
        orders += [End(worker, running.ticket, running.end_at) for worker, running in cut if id(running) not in fresh]
        return orders

    def _hand_out(self, lane: _Lane, now: float) -> Iterator[tuple[int, _Running]]:
        """Give waiting searches to a lane's free workers. A long worker takes short searches if no long one waits."""
        while free := list(lane.free_workers()):
            source = lane if lane.queue else self._short
            if not source.queue:
                return
            ticket = source.queue.pop()
            if ticket.head_since is None:
                ticket.head_since = now
            worker = self._home_of(ticket, free)
            running = lane.running[worker] = _Running(ticket, now, ticket.ends_at(now))
            self._record_heads(now)
            yield worker, running

    def _home_of(self, ticket: Ticket, free: list[int]) -> int:
        """Choose and remember a free worker, preferably with the ticket's table, else one that is not pondering."""
        home = self._homes.get(ticket.table, -1)
        if home not in free:
            home = next((worker for worker in free if worker not in self._pondering), free[0])
        if ticket.table:
            self._homes[ticket.table] = home
            self._homes.move_to_end(ticket.table)
            if len(self._homes) > TABLES_KEPT * self.workers:
                self._homes.popitem(last=False)
        return home

    def _threads_for(self, ticket: Ticket) -> int:
        is_alone = len(self._long.running) == 1 and not self._long.queue and not self._short.queue
        return len(self._long.workers) if ticket.may_use_threads and is_alone else 1

    def _end_pondering(self, worker: int, now: float) -> End:
        return End(worker, self._pondering.pop(worker), now)

    # Keeping the promise

    def _record_heads(self, now: float) -> None:
        for lane in (self._long, self._short):
            for head in _heads(lane.queue):
                if head.head_since is None:
                    head.head_since = now

    def _cut(self, lane: _Lane, now: float) -> Iterator[tuple[int, _Running]]:
        """Cut the searches that would make others late."""
        scales: dict[Urgency, float] = {}
        for urgency in Urgency:
            scales[urgency] = lane.scale(urgency, scales, now)
        most_urgent = min((head.urgency for head in _heads(lane.queue)), default=max(Urgency))
        for worker, running in lane.running.items():
            urgency = running.ticket.urgency
            end_at = running.end_at_scale(LEAST_SCALE if urgency > most_urgent else scales[urgency])
            if end_at < running.end_at:
                running.end_at = end_at
                yield worker, running


def _heads(queue: FairQueue[Ticket]) -> Iterable[Ticket]:
    return (head for urgency in Urgency for head in queue.heads(urgency))
