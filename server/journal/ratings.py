"""A rating as it is stored, and what one match changes: values that the journal stores together with an event.

What a result changes is `server.ratings.formula`. Pure.
"""

from typing import NamedTuple

from ..protocol import IdentityId, RatingKind

POINTS_OF_START = 1500
POINTS_PER_MU = 30
MU, SIGMA = 25.0, 25.0 / 3.0
"""What is believed of who has not played yet: 1500 points, deviation 250."""

PROVISIONAL_DEVIATION = 150
"""Above this deviation a rating is shown as provisional: the first dozen matches or so."""
LEADER_DEVIATION = 120
LEADER_MATCHES = 20
"""Who stands among the leaders: a deviation of at most so much, after at least so many matches."""


class Rating(NamedTuple):
    """What is believed of somebody's strength in matches of one kind."""

    mu: float = MU
    sigma: float = SIGMA
    matches: int = 0
    """So many results it rests on."""

    @property
    def points(self) -> int:
        """The strength as people see it.

        >>> Rating(mu=27.0).points
        1560
        """
        return round(POINTS_OF_START + POINTS_PER_MU * (self.mu - MU))

    @property
    def deviation(self) -> int:
        """The uncertainty as people see it: two times out of three the strength is no further from the points."""
        return round(POINTS_PER_MU * self.sigma)

    @property
    def is_provisional(self) -> bool:
        """Whether it is too uncertain to say much."""
        return self.deviation > PROVISIONAL_DEVIATION

    @property
    def is_certain(self) -> bool:
        """Whether it may stand among the leaders."""
        return self.deviation <= LEADER_DEVIATION and self.matches >= LEADER_MATCHES


class RatingUpdate(NamedTuple):
    """What one match changes for the player of one seat."""

    seat: int
    identity: IdentityId
    rank: int
    before: Rating
    """Its `matches` must be what is stored, or nothing is."""
    after: Rating


class RatingUpdates(NamedTuple):
    """What one match changes."""

    kind: RatingKind
    plies: int
    updates: tuple[RatingUpdate, ...]
