"""The limit on the messages of one connection: floods are refused here."""

from ..accounts.rate_limits import Budget
from ..protocol import Code
from ..protocol.refusal import Refusal
from ..system_clock import NowMs

BURST_SECONDS = 4
"""A connection may send the messages of this many seconds at once."""
MALFORMED_COST = 10
"""How many messages a malformed frame counts for: a working client sends none."""


class MessageLimit:
    """What one connection may still send."""

    __slots__ = ("_budget", "_now_ms")

    def __init__(self, messages_per_second: int, now_ms: NowMs) -> None:
        self._budget = Budget(messages_per_second * BURST_SECONDS, BURST_SECONDS * 1000, now_ms())
        self._now_ms = now_ms

    def spend(self, cost: float) -> Refusal | None:
        """Count a message, and return why the connection is to be closed if it sends too many."""
        if self._budget.spend(cost, self._now_ms()):
            return None
        return Refusal(Code.TOO_FAST, "Too many messages. Please slow down.")
