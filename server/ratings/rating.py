"""Ratings as they are stored, and what one match changes: values that the journal stores together with an event.

Pure. What a result changes is computed in `server.ratings.formula`.
"""

from typing import NamedTuple

from millrace.protocol import IdentityId, RatingKind

POINTS_OF_START = 1500
POINTS_PER_MU = 30
MU, SIGMA = 25.0, 25.0 / 3.0
"""The rating before the first match: 1500 points, deviation 250."""

PROVISIONAL_DEVIATION = 150
"""The deviation above which a rating is shown as provisional: about the first dozen matches."""
LEADER_DEVIATION = 120
"""Maximum deviation of a leader."""
LEADER_MATCHES = 20
"""Minimum matches of a leader."""


class Rating(NamedTuple):
    """The estimate of a player's strength in matches of one kind."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0
    """How many results it is based on."""

    @property
    def points(self) -> int:
        """The strength on the scale that players see.

        >>> Rating(mu=27.0).points
        1560
        """
        return round(POINTS_OF_START + POINTS_PER_MU * (self.mu - MU))

    @property
    def deviation(self) -> int:
        """The uncertainty in points: two times out of three the strength is within this of the points."""
        return round(POINTS_PER_MU * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether it is too uncertain to be meaningful."""
        return self.deviation > PROVISIONAL_DEVIATION

    @property
    def is_certain(self) -> bool:
        """Whether it is certain enough for the list of leaders."""
        return self.deviation <= LEADER_DEVIATION and self.matches >= LEADER_MATCHES


class RatingUpdate(NamedTuple):
    """What one match changes for the player of one seat."""

    seat: int
    identity: IdentityId
    rank: int
    before: Rating
    """Its `matches` must equal the stored number, or nothing is stored."""
    after: Rating


class RatingUpdates(NamedTuple):
    """What one match changes."""

    kind: RatingKind
    plies: int
    updates: tuple[RatingUpdate, ...]
