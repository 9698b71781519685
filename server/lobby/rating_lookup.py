"""The rating of a player, for pairing and seeks: an interface that `server.ratings.ratings` implements."""

from typing import Protocol

from ..protocol import IdentityId, Speed


class RatingLookup(Protocol):
    """The ratings of all players."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return a player's rating in a kind of match; the initial rating if the player has none."""
