"""How strong somebody is, where it matters for who meets whom: an interface, which `server.ratings.keeper` fulfils.

Imported by `server.meeting.matchmaker`, `server.meeting.seeks` and `server.meeting.desk`.
"""

from typing import Protocol

from server.protocol import IdentityId, Speed


class Strengths(Protocol):
    """Everyone's ratings."""

    def rating_of(self, identity: IdentityId, game: str, seats: int, speed: Speed) -> int:
        """Return somebody's rating in matches of a kind."""
