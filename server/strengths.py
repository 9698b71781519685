"""How strong somebody is, where it matters for who meets whom: an interface, and what stands for it without ratings.

Imported by `server.matchmaker`, `server.seeks` and `server.house`.
"""

from typing import Protocol

from server.protocol import IdentityId
from server.speed import Speed

UNKNOWN_RATING = 1500
"""Of who has not played yet."""


class Strengths(Protocol):
    """Everyone's ratings."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return somebody's rating in matches of a kind."""


class AllAlike:
    """Strengths that are all unknown."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return the same for everyone."""
        return UNKNOWN_RATING
