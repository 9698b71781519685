"""The rating of a player, for pairing and seeks: an interface that `server.ratings.ratings` implements."""

from typing import Protocol

from millrace.protocol import IdentityId, Speed


class RatingLookup(Protocol):
    """The ratings of all players."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return a player's rating in a kind of match; the initial rating if the player has none."""

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        """Return the speed at which most of a player's rated matches in a game were played, among those at which the
        rating is not provisional; None if there is none."""
