"""A player's rating, for pairing and seeks: an interface that `server.ratings.ratings` implements."""

from typing import Protocol

from millrace.protocol import IdentityId, Speed


class RatingLookup(Protocol):
    """The ratings of all players."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return a player's rating in a kind of match; the initial rating if the player has none."""

    def settled_speed(self, identity: IdentityId, game: str, seats: int) -> Speed | None:
        """Return the speed of most of a player's rated matches in a game, among speeds whose rating is not provisional;
        None if there is none.
        """
