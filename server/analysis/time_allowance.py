"""Time allowance: how much processor time a player may spend on analyses.

Accounts have more than guests, and the guests at one address share an allowance.
"""

from typing import Final, NamedTuple

from ..accounts.rate_limits import TokenBucket
from ..identity.caller import Caller

GUEST_MS: Final = 60_000
ACCOUNT_MS: Final = 180_000
"""Processor time of a full allowance."""
REFILL_MS: Final = 180_000
"""How long an empty allowance takes to fill up."""

MIN_MS: Final = 300
"""With less left, no search begins."""


class Allowance(NamedTuple):
    """The allowance of one caller: a key of a bucket that measures milliseconds of processor time."""

    bucket: TokenBucket
    key: str

    def left_ms(self, now_ms: int) -> int:
        """Return what is left; negative after an overdraft."""
        return int(self.bucket.left(self.key, now_ms))

    def wait_ms(self, wanted_ms: int, now_ms: int) -> int:
        """Return in how many milliseconds there will be an amount of processor time."""
        return self.bucket.wait_ms(self.key, wanted_ms, now_ms)

    def spend(self, spent_ms: float, now_ms: int) -> None:
        """Take off time that was spent, even if it is more than was left."""
        self.bucket.spend(self.key, spent_ms, now_ms)


class Allowances:
    """The allowances of all players; `factor` multiplies the usual ones."""

    def __init__(self, factor: float = 1.0) -> None:
        self._of_guests = TokenBucket(GUEST_MS * factor, REFILL_MS)
        self._of_accounts = TokenBucket(ACCOUNT_MS * factor, REFILL_MS)

    def of(self, caller: Caller) -> Allowance:
        """Return the allowance of a caller."""
        bucket = self._of_accounts if caller.player.registered else self._of_guests
        return Allowance(bucket, allowance_key(caller))


def allowance_key(caller: Caller) -> str:
    """Return the player, or for a guest the address, whose limits a caller uses up."""
    return caller.player.id if caller.player.registered else f"at {caller.connection_info.address}"
