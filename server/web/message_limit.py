"""The limit on messages: a connection that floods is closed, an address that floods is read more slowly.

Before that, what it sends waits for its turn (`server.web.backlog`).

A message counts as one, or more if its answer takes long: this bounds an address's cost, whatever it sends.
"""

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..callers.buckets import Budget
from ..callers.limit import Bound, Limit
from ..callers.limits import Limits
from ..runtime.system_clock import NowMs
from .intake import Intake

MESSAGES = Limit(
    name="messages",
    counts="messages sent; a malformed one counts as eleven, a slow one as several for the address",
    refusal="Too many messages. Please slow down.",
    code=Code.TOO_FAST,
    window_ms=4_000,
    connection=400,
    address=4_000,
)
"""Beyond the connection's bound it is closed; beyond the address's bound, its connections are read more slowly."""
MALFORMED_COST = 10
"""Additional cost of a malformed frame, in messages: a working client sends none."""
COST_PER_SECOND = 25_000
"""Cost of a second of the event loop, in messages: no address gets more than a twenty-fifth of its time."""
COST_PER_WAIT = 5
"""Cost of each wait during an answer, mostly for a database thread, in messages."""
PREPAID = 32
"""Messages that a connection prepays from the budget of its address, so that most messages need not ask it."""


class MessageLimit:
    """The budget of one connection."""

    __slots__ = ("_address", "_budget", "_intake", "_limits", "_now_ms", "prepaid")

    def __init__(self, limits: Limits, address: str, now_ms: NowMs, intake: Intake) -> None:
        burst = limits.bound(MESSAGES, Bound.CONNECTION) or 0
        self._budget = Budget(burst, MESSAGES.window_ms, now_ms())
        self._now_ms = now_ms
        self._limits = limits
        self._address = address
        self._intake = intake
        self.prepaid = 0.0
        """Prepaid messages left; negative if more must be prepaid."""

    def spend(self, cost: float) -> Refusal | None:
        """Count a message; return a reason to close the connection if it sends too many."""
        self.prepaid -= cost
        if self._budget.spend(cost, self._now_ms()):
            return None
        return self._limits.refusal(MESSAGES, Bound.CONNECTION, self._address)

    def charge(self, seconds: float, waits: int) -> None:
        """Count the time and the waits of an answer."""
        self.prepaid -= seconds * COST_PER_SECOND + waits * COST_PER_WAIT
        if self._intake.is_busy:
            self._intake.backlog.charge(seconds)

    def prepay(self) -> bool:
        """Prepay more messages and return True; if the address's budget is used up, pause the connection."""
        amount = max(PREPAID, PREPAID - self.prepaid)
        wait_ms = self._limits.use_at(MESSAGES, self._address, amount)
        self._intake.is_busy = self._limits.is_busy_at(MESSAGES, self._address)
        if wait_ms > 0:
            self._intake.pause_for(wait_ms / 1000)
            return False
        self.prepaid += amount
        return True
