"""Simulated workers that follow a schedule's orders in simulated time: days of load in no time."""

import heapq
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from itertools import count
from math import inf

from millrace.server.bots.requests import Urgency
from millrace.server.bots.schedule import Begin, Order, Schedule, Ticket, short_workers_beside

Action = Callable[[], None]


@dataclass
class Simulation:
    """A schedule with workers that search exactly as long as they may, or as long as `needs` says for a ticket."""

    schedule: Schedule
    now: float = 0.0
    needs: dict[Ticket, float] = field(default_factory=dict)
    begun: dict[Ticket, Begin] = field(default_factory=dict)
    began_at: dict[Ticket, float] = field(default_factory=dict)
    ended_at: dict[Ticket, float] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    when_ended: dict[Ticket, Action] = field(default_factory=dict)
    _ends_at: dict[Ticket, float] = field(default_factory=dict)
    _agenda: list[tuple[float, int, Action]] = field(default_factory=list)
    _numbers: "count[int]" = field(default_factory=count)

    def at(self, moment: float, action: Action) -> None:
        """Do something at a future moment."""
        heapq.heappush(self._agenda, (moment, next(self._numbers), action))

    def ask(self, *tickets: Ticket) -> None:
        """Ask for searches now."""
        for each in tickets:
            self.follow(self.schedule.ask(each, self.now))

    def ponder(self, ticket: Ticket, seconds: float = 20.0) -> None:
        """Offer a position to be pondered now."""
        self.follow(self.schedule.ponder(ticket, seconds, self.now))

    def withdraw(self, ticket: Ticket) -> None:
        """Withdraw a search now."""
        self.follow(self.schedule.withdraw(ticket, self.now))

    def follow(self, orders: Iterable[Order]) -> None:
        """Let the workers follow orders."""
        for order in orders:
            self.orders.append(order)
            if isinstance(order, Begin):
                needs = self.needs.get(order.ticket, order.seconds)
                self.begun[order.ticket], self.began_at[order.ticket] = order, self.now
                self._end_at(order, self.now + min(order.seconds, needs))
            else:
                self._end_at(order, max(self.now, min(order.at, self._ends_at[order.ticket])))

    def run(self) -> None:
        """Let time pass until nothing more happens."""
        while self._agenda:
            moment, _, action = heapq.heappop(self._agenda)
            assert moment >= self.now
            self.now = moment
            action()

    def _end_at(self, order: Order, moment: float) -> None:
        self._ends_at[order.ticket] = moment
        self.at(moment, lambda: self._end(order.worker, order.ticket))

    def _end(self, worker: int, ticket: Ticket) -> None:
        if ticket in self.ended_at or self.now < self._ends_at[ticket]:
            return
        self.ended_at[ticket] = self.now
        self.follow(self.schedule.end(worker, ticket, self.now))
        if ticket in self.when_ended:
            self.when_ended[ticket]()


def ticket(
    owner: str = "ann",
    seconds: float = 1.0,
    urgency: Urgency = Urgency.MOVE,
    table: str = "",
    threads: bool = False,
    clock_ends_at: float = inf,
    clock_share_seconds: float = inf,
) -> Ticket:
    return Ticket(urgency, owner, seconds, table, threads, clock_ends_at, clock_share_seconds)


def schedule_of(processors: int) -> Schedule:
    """Return the schedule of a machine: the workers for long searches have the numbers below `processors`."""
    schedule = Schedule()
    for number in range(processors + short_workers_beside(processors)):
        schedule.add_worker(is_short=number >= processors)
    return schedule
