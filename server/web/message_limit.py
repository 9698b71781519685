"""The limit on messages: a connection that floods is closed, an address that floods is read more slowly.

A message counts as one, and more if its answer takes longer than most: what an address can cost the server is bounded,
whatever its messages are.
"""

from collections.abc import Callable

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..callers.buckets import Budget
from ..callers.limit import Bound, Limit
from ..callers.limits import Limits
from ..runtime.system_clock import NowMs

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
"""How many messages a malformed frame counts for: a working client sends none."""
COST_PER_SECOND = 25_000
"""How many messages a second of the event loop counts for: no address gets more than a twenty-fifth of its time."""
COST_PER_WAIT = 5
"""How many messages it counts for that an answer waits, mostly for a thread of the database."""
PREPAID = 32
"""Messages that a connection takes from the budget of its address at a time, so that most messages do not ask it."""


class MessageLimit:
    """What one connection may still send."""

    __slots__ = ("_address", "_budget", "_limits", "_now_ms", "_pause_for", "prepaid")

    def __init__(self, limits: Limits, address: str, now_ms: NowMs, pause_for: Callable[[float], None]) -> None:
        burst = limits.bound(MESSAGES, Bound.CONNECTION) or 0
        self._budget = Budget(burst, MESSAGES.window_ms, now_ms())
        self._now_ms = now_ms
        self._limits = limits
        self._address = address
        self._pause_for = pause_for
        """Handles nothing of the connection for some seconds."""
        self.prepaid = 0.0
        """What is left of what was taken from the budget of the address; negative if more must be taken."""

    def spend(self, cost: float) -> Refusal | None:
        """Count a message, and return why the connection is to be closed if it sends too many."""
        self.prepaid -= cost
        if self._budget.spend(cost, self._now_ms()):
            return None
        return self._limits.refusal(MESSAGES, Bound.CONNECTION, self._address)

    def charge(self, seconds: float, waits: int) -> None:
        """Count the time that an answer took, and how often it waited."""
        self.prepaid -= seconds * COST_PER_SECOND + waits * COST_PER_WAIT

    def prepay(self) -> bool:
        """Take more from the budget of the address, and return True; if it is used up, pause the connection."""
        amount = max(PREPAID, PREPAID - self.prepaid)
        wait_ms = self._limits.use_at(MESSAGES, self._address, amount)
        if wait_ms > 0:
            self._pause_for(wait_ms / 1000)
            return False
        self.prepaid += amount
        return True
