"""The outboxes of slow clients, and the total of their unsent data. The slowest are disconnected first.

A connection is slow from the time when the system accepts no more data (64 KiB are waiting) until almost all of it is
sent. Fast connections cost nothing here.
"""

from collections import Counter
from typing import Protocol

import structlog

from ..callers.limit import Bound, Limit
from ..callers.limits import Limits
from ..runtime import metrics

log = structlog.get_logger()

OUTBOX_KIB = Limit(
    name="outbox_kib",
    counts="KiB waiting for clients that do not read; the slowest are disconnected",
    refusal="Your connection is too slow.",
    connection=1_024,
    address=16_384,
    everyone=65_536,
)
"""A connection's bound holds 4,000 plies."""
RELIEF = 0.9
"""Share of an exceeded bound to which the total is reduced."""


class Outbox(Protocol):
    """The unsent data of one client."""

    @property
    def unsent_bytes(self) -> int:
        """The amount of unsent data."""

    @property
    def address(self) -> str:
        """The network of the client."""

    def abort(self) -> None:
        """Cut the connection."""


class Outboxes:
    """The outboxes of all slow clients."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._most = {
            bound: 1024 * (limits.bound(OUTBOX_KIB, bound) or 0)
            for bound in (Bound.CONNECTION, Bound.ADDRESS, Bound.EVERYONE)
        }
        self._unsent: dict[Outbox, int] = {}
        """The amount of unsent data of each slow client at its last check; the slowest come first."""
        self._of_address: Counter[str] = Counter()
        self._total = 0

    @property
    def total_bytes(self) -> int:
        """The unsent data of all slow clients, at most: data sent since the last check is counted when it matters."""
        return self._total

    def begin(self, outbox: Outbox) -> None:
        """Note that a client has become slow."""
        self._unsent[outbox] = 0
        self.check(outbox)

    def end(self, outbox: Outbox) -> None:
        """Note that a client is no longer slow, or gone."""
        self._set(outbox, 0)
        self._unsent.pop(outbox, None)

    def check(self, outbox: Outbox) -> None:
        """Check a slow client after sending it something, and cut the clients beyond the bounds."""
        if outbox not in self._unsent:
            return
        self._set(outbox, outbox.unsent_bytes)
        if self._unsent[outbox] > self._most[Bound.CONNECTION]:
            self._cut(outbox, Bound.CONNECTION)
        if self._of_address[outbox.address] > self._most[Bound.ADDRESS]:
            self._relieve(Bound.ADDRESS, outbox.address)
        if self._total > self._most[Bound.EVERYONE]:
            self._relieve(Bound.EVERYONE, "")

    def _relieve(self, bound: Bound, address: str) -> None:
        """Check every outbox again, and cut the slowest until the total is well within a bound."""
        for outbox in tuple(self._unsent):
            self._set(outbox, outbox.unsent_bytes)
        if self._waiting(address) <= self._most[bound]:
            return
        for outbox in tuple(self._unsent):
            if not address or outbox.address == address:
                self._cut(outbox, bound)
            if self._waiting(address) <= RELIEF * self._most[bound]:
                return

    def _waiting(self, address: str) -> int:
        """Return the unsent data of an address, or of all if it is empty."""
        return self._of_address[address] if address else self._total

    def _cut(self, outbox: Outbox, bound: Bound) -> None:
        metrics.DISCONNECTIONS.labels("slow").inc()
        self._limits.report(OUTBOX_KIB, bound, outbox.address)
        log.info("connection cut because it does not read", address=outbox.address)
        self.end(outbox)
        outbox.abort()

    def _set(self, outbox: Outbox, unsent: int) -> None:
        grown = unsent - self._unsent.get(outbox, 0)
        if outbox in self._unsent and grown:
            self._unsent[outbox] = unsent
            self._total += grown
            self._of_address[outbox.address] += grown
            if not self._of_address[outbox.address]:
                del self._of_address[outbox.address]
