"""Time allowance: the processor time that a player may spend on analyses.

Accounts have more than guests, and the guests at one address share an allowance.
"""

from typing import Final

from millrace.protocol import Code

from ...callers.caller import Caller
from ...callers.limit import Limit

ANALYSIS_MS = Limit(
    name="analysis_ms",
    counts="milliseconds of processor time for analyses",
    refusal="You have used up your analysis time.",
    code=Code.ANALYSIS_SPENT,
    window_ms=180_000,
    account=180_000,
    guests=60_000,
    address=360_000,
)
MIN_MS: Final = 300
"""Minimum allowance to start a search."""


def allowance_key(caller: Caller) -> str:
    """Return the player, or for a guest the address, whose limits a caller uses."""
    return caller.player.id if caller.player.registered else f"at {caller.connection_info.address}"
