"""A limit: what it counts, its bounds, and its refusal. Declared beside the code that it protects.

A value only; `server.callers.limits` enforces it.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from millrace.protocol import Code

MINUTE_MS = 60_000
HOUR_MS = 60 * MINUTE_MS
DAY_MS = 24 * HOUR_MS


class Bound(StrEnum):
    """Which uses are counted together."""

    CONNECTION = "connection"
    ACCOUNT = "account"
    """A player with an account, on all connections."""
    GUEST = "guest"
    """A guest, on all connections."""
    GUESTS = "guests"
    """All guests at one address together."""
    ADDRESS = "address"
    """Everyone at one address: an IPv4 address, or a /64 network of IPv6."""
    EVERYONE = "everyone"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limit:
    """A limit on one kind of use; a bound of None does not apply.

    With a window it bounds uses over time: a bound may be used up at once, and refills steadily over `window_ms`.
    Without one it bounds the number at a time.
    """

    name: str
    """Its name in settings and metrics."""
    counts: str
    """What is counted, for `docs/limits.md`."""
    refusal: str
    """The sentence for a refused player; `{bound}` stands for the bound."""
    code: Code = Code.TOO_MANY
    window_ms: int = 0
    connection: float | None = None
    account: float | None = None
    guest: float | None = None
    guests: float | None = None
    address: float | None = None
    everyone: float | None = None

    def bounds(self) -> Iterator[tuple[Bound, float]]:
        """Yield the bounds that apply by default, the narrowest first."""
        for bound in Bound:
            value: float | None = getattr(self, bound.value)
            if value is not None:
                yield bound, value
