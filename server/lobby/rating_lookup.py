"""A player's rating, for pairing: an interface, which `server.ratings.settlement` implements."""

from typing import Protocol

from ..protocol import IdentityId, Speed


class RatingLookup(Protocol):
    """Everyone's ratings."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return somebody's rating in matches of a kind."""
