"""How much processor time somebody may spend on analyses: an allowance that fills up again as time goes by.

Pure: told the time. An account has more than a guest; guests at one address share what one has. See
en.wikipedia.org/wiki/Token_bucket.
"""

from dataclasses import dataclass
from typing import Final, NamedTuple

from ..identity.caller import Caller

KEYS_KEPT: Final = 10_000
"""Past so many keys, those whose allowance is full are forgotten."""

LEAST_MS: Final = 300
"""With less left nothing is begun."""


class Rate(NamedTuple):
    """An allowance."""

    most_ms: int
    """Of processor time, after a rest."""
    ms_a_minute: int
    """What it fills up by."""


GUEST_RATE = Rate(60_000, 20_000)
ACCOUNT_RATE = Rate(180_000, 60_000)


@dataclass(slots=True)
class _Purse:
    left_ms: float
    at_ms: int


class Allowances:
    """What everybody has left."""

    def __init__(self, factor: float = 1.0) -> None:
        self._factor = factor
        """So many times as much as usual everybody has."""
        self._purses: dict[str, _Purse] = {}

    def left_ms(self, key: str, rate: Rate, now_ms: int) -> int:
        """Return what there is to spend now."""
        return int(self._purse(key, rate, now_ms).left_ms)

    def spend(self, key: str, rate: Rate, now_ms: int, spent_ms: float) -> None:
        """Take off what was spent; it may be a little more than there was."""
        self._purse(key, rate, now_ms).left_ms -= spent_ms

    def wait_ms(self, key: str, rate: Rate, now_ms: int, wanted_ms: int) -> int:
        """Return after how long there will be so much."""
        missing_ms = wanted_ms - self._purse(key, rate, now_ms).left_ms
        return max(0, int(missing_ms * 60_000 / (rate.ms_a_minute * self._factor)))

    def _purse(self, key: str, rate: Rate, now_ms: int) -> _Purse:
        most_ms = rate.most_ms * self._factor
        purse = self._purses.get(key)
        if purse is None:
            if len(self._purses) >= KEYS_KEPT:
                self._forget_full(now_ms)
            purse = self._purses[key] = _Purse(most_ms, now_ms)
        gained_ms = max(0, now_ms - purse.at_ms) * rate.ms_a_minute * self._factor / 60_000
        purse.left_ms = min(most_ms, purse.left_ms + gained_ms)
        purse.at_ms = max(purse.at_ms, now_ms)
        return purse

    def _forget_full(self, now_ms: int) -> None:
        """Forget those who have spent nothing for as long as the smallest allowance takes to fill."""
        full_ms = max(rate.most_ms * 60_000 // rate.ms_a_minute for rate in (GUEST_RATE, ACCOUNT_RATE))
        self._purses = {key: purse for key, purse in self._purses.items() if purse.at_ms > now_ms - full_ms}


def allowance_of(caller: Caller) -> tuple[str, Rate]:
    """Return whose allowance somebody spends, and how much that is."""
    player = caller.authentication.player
    return (player.id, ACCOUNT_RATE) if player.registered else (f"at {caller.connection_info.address}", GUEST_RATE)
