"""Which worker begins which search, for how long it may think, and which search ends sooner because others wait.

Pure: it is told what happened and when, in seconds from any fixed moment, and answers with orders. Processes and
futures are in `server.bots.pool`, which imports this; `tests/server/bots/test_schedule.py` drives it through whole days
in no time.

**Lanes.** Searches that take long have as many workers as there are processors. Short ones have a few workers of their
own beside these, so that a weak level never waits for a strong one to finish: the operating system lets whoever sleeps
most run first. A long worker for which nothing waits helps out with short searches.

**The promise.** Who asks gets the answer within *twice the level's time*, where `PATIENCE_SECONDS` is the least that is
reckoned for a level: by that moment the request is *due*. It counts from when the request is the owner's oldest that
waits: who plays several matches at once is answered in one after the other. Searches are planned to end
`DELIVERY_SECONDS` before. It is kept as long as it can be if every search ahead is cut to `LEAST_SCALE` of its level's
time, that is, where the level times ahead add up to `A` on `W` workers and its own is `T`, as long as `LEAST_SCALE * (A
/ W + T) <= 2 * T - DELIVERY_SECONDS`. A clock that runs out before is kept to in the same way; its margin is the
clock's (`engine.time_management`). Long before that, who waits with a clock running is to have the answer within twice
what the clock can spare for a ply.

**How it is kept.** All searches of a class get the same part, the *scale*, of their level's time: the largest with
which no head of the queue is late, and those under way end sooner if it falls. Since a worker takes the next head as
soon as it is free, a search with work `B` before it on `W` workers begins after `B / W` at the latest (Graham, Bounds
on multiprocessing timing anomalies, 1969). Searches that are less urgent than one that waits are cut to the least.
"""

from collections import OrderedDict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from math import inf
from typing import NamedTuple, TypeAlias

from .queue import FairQueue
from .requests import Urgency

LEAST_SCALE = 0.05
"""No search is cut to less of its level's time."""

PATIENCE_SECONDS = 0.25
"""Levels that take less are answered within twice this: it feels as if at once."""

DELIVERY_SECONDS = 0.05
"""So long before it is due a search is planned to end, for a worker that notices late and for the answer's way: 13 to
15 ms (p50), 35 to 70 ms (p99) on two processors that four programs shared, with `benchmarks.bots --people 60`."""

SHORT_SECONDS = 0.25
"""Searches that take no longer have workers of their own."""

LONG_WORKERS_TO_A_SHORT_ONE = 8
TABLES_KEPT = 4
"""Of so many matches a worker remembers what it has learnt."""

BISECTIONS = 6
"""The scale is found to 1/64."""


@dataclass(eq=False, slots=True)
class Ticket:
    """A request that waits or is searched."""

    urgency: Urgency
    owner: str
    level_seconds: float
    """How long it is thought about when nothing else is going on."""
    table: str = ""
    """A worker that has this table is preferred."""
    may_use_threads: bool = False
    """Whether it is searched by all processors if nobody else needs them."""
    clock_ends_at: float = inf
    """An answer after that is of no use."""
    clock_share_seconds: float = inf
    """What its clock can spare for this ply, waiting included."""
    head_since: float | None = None
    """From when it has been the owner's oldest in its class; None before."""

    @property
    def is_short(self) -> bool:
        """Whether it goes to the workers for short searches."""
        return self.level_seconds <= SHORT_SECONDS

    @property
    def due_at(self) -> float:
        """By when it has its answer, once it is a head."""
        return min(self._promised_at, self.clock_ends_at)

    @property
    def search_due_at(self) -> float:
        """By when its search is to have ended, so that the answer is there in time."""
        return min(self._promised_at - DELIVERY_SECONDS, self.clock_ends_at)

    @property
    def wanted_at(self) -> float:
        """By when its search is to have ended as long as it waits: waiting costs a clock no more than thinking."""
        assert self.head_since is not None
        return min(self.search_due_at, self.head_since + 2 * max(self.clock_share_seconds, DELIVERY_SECONDS))

    @property
    def _promised_at(self) -> float:
        assert self.head_since is not None
        return self.head_since + 2 * max(self.level_seconds, PATIENCE_SECONDS)

    def ends_at(self, began_at: float, scale: float = 1.0) -> float:
        """Return when it ends with a part of its level's time, or with what its clock leaves if that is less."""
        latest = max(self.clock_ends_at, began_at + LEAST_SCALE * self.level_seconds)
        return min(began_at + scale * self.level_seconds, latest)


class Begin(NamedTuple):
    """A worker is to search."""

    worker: int
    ticket: Ticket
    seconds: float
    """It may think so long."""
    threads: int
    is_cut: bool = False
    """Whether that is less than its level's time."""


class End(NamedTuple):
    """A search under way, or just begun, is to end at a moment, which may be past: then at once."""

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
        """Whether it ends before its level's time is over; what `end_at` less `began_at` comes to is rounded."""
        return self.end_at < self.began_at + self.ticket.level_seconds

    def end_at_scale(self, scale: float) -> float:
        """Return when it ends if it is cut to a part of its level's time."""
        return min(self.end_at, self.ticket.ends_at(self.began_at, scale))


@dataclass(slots=True)
class _Lane:
    """Workers and the searches that wait for them."""

    workers: range
    queue: FairQueue[Ticket] = field(default_factory=FairQueue)
    running: dict[int, _Running] = field(default_factory=dict)

    def free_workers(self) -> Iterator[int]:
        return (worker for worker in self.workers if worker not in self.running)

    def scale(self, urgency: Urgency, scales: dict[Urgency, float], now: float) -> float:
        """Return with what part of its level's time a class makes do; `scales` are those of the more urgent ones."""
        if self._fits(1.0, urgency, scales, now):
            return 1.0
        low, high = LEAST_SCALE, 1.0
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._fits(middle, urgency, scales, now) else (low, middle)
        return low

    def _fits(self, scale: float, urgency: Urgency, scales: dict[Urgency, float], now: float) -> bool:
        """Return whether with this scale no search of a class comes too late."""
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
                if waiting_urgency is urgency and now + ahead / len(self.workers) + work > head.wanted_at:
                    return False
                ahead += work
        return True


class Schedule:
    """Searches that wait and that are under way, and the workers for them, numbered from 0: the long ones first."""

    def __init__(self, processors: int) -> None:
        short_workers = 1 + (processors - 1) // LONG_WORKERS_TO_A_SHORT_ONE
        self._long = _Lane(range(processors))
        self._short = _Lane(range(processors, processors + short_workers))
        self._pondering: dict[int, Ticket] = {}
        self._homes: OrderedDict[str, int] = OrderedDict()
        """Which worker has a table."""

    @property
    def workers(self) -> int:
        """How many there are."""
        return len(self._long.workers) + len(self._short.workers)

    def count_waiting(self, urgency: Urgency) -> int:
        """Return how many searches of a class wait."""
        return self._long.queue.count(urgency) + self._short.queue.count(urgency)

    def ask(self, ticket: Ticket, now: float) -> list[Order]:
        """Let a search begin, or wait for its turn."""
        lane = self._short if ticket.is_short else self._long
        lane.queue.push(ticket)
        return self._proceed(now)

    def withdraw(self, ticket: Ticket, now: float) -> list[Order]:
        """Take back a search that waits, or end one that is under way at once; its worker is free after `end`."""
        for lane in (self._long, self._short):
            if ticket in lane.queue:
                lane.queue.remove(ticket)
                return self._proceed(now)
            for worker, running in lane.running.items():
                if running.ticket is ticket:
                    running.end_at = now
                    return [End(worker, ticket, now), *self._proceed(now)]
        for worker, pondered in self._pondering.items():
            if pondered is ticket:
                return [self._end_pondering(worker, now)]
        return []

    def end(self, worker: int, ticket: Ticket, now: float) -> list[Order]:
        """Note that a worker has ended a search, with an answer or without."""
        if self._pondering.get(worker) is ticket:
            del self._pondering[worker]
            return []
        for lane in (self._long, self._short):
            if worker in lane.running and lane.running[worker].ticket is ticket:
                del lane.running[worker]
        return self._proceed(now)

    def ponder(self, ticket: Ticket, seconds: float, now: float) -> list[Order]:
        """Use a worker that has nothing to do, if there is one; it counts as free all the same.

        Where there are several processors, one of them is left to all else.
        """
        idle = [worker for worker in self._long.free_workers() if worker not in self._pondering]
        if not idle or 0 < len(self._pondering) >= len(self._long.workers) - 1:
            return []
        worker = self._home_of(ticket, idle)
        self._pondering[worker] = ticket
        ticket.head_since = now
        return [Begin(worker, ticket, seconds, 1)]

    # Handing out

    def _proceed(self, now: float) -> list[Order]:
        """Hand out what can begin, then see that all others will be in time."""
        begun = [*self._hand_out(self._short, now), *self._hand_out(self._long, now)]
        orders: list[Order] = []
        for worker, _ in begun:
            if worker in self._pondering:
                orders.append(self._end_pondering(worker, now))
        self._note_heads(now)
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
        """Give the next searches to free workers of a lane; a long worker takes a short search if no long one waits."""
        while free := list(lane.free_workers()):
            source = lane if lane.queue else self._short
            if not source.queue:
                return
            ticket = source.queue.pop()
            if ticket.head_since is None:
                ticket.head_since = now
            worker = self._home_of(ticket, free)
            running = lane.running[worker] = _Running(ticket, now, ticket.ends_at(now))
            self._note_heads(now)
            yield worker, running

    def _home_of(self, ticket: Ticket, free: list[int]) -> int:
        """Return the worker that has a ticket's table if it is free, or one that disturbs no pondering; and note it."""
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

    def _note_heads(self, now: float) -> None:
        for lane in (self._long, self._short):
            for head in _heads(lane.queue):
                if head.head_since is None:
                    head.head_since = now

    def _cut(self, lane: _Lane, now: float) -> Iterator[tuple[int, _Running]]:
        """Let searches end sooner where others would be late otherwise."""
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
