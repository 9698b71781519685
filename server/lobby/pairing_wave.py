"""One pairing wave: who plays whom among players waiting for the same kind of match.

Pure, without state.

Two players may be paired if the gap of their ratings is within both windows; each missed wave widens a window. The
weight of a pair is the window minus the gap. A wave looks for pairs of maximum total weight: a maximum-weight matching.
Since ratings lie on a line, crossing pairs can be uncrossed without loss, and a pair never gains by leaving out two
players between its members. So dynamic programming over the players in order of rating finds that matching in linear
time. It is exact if windows are equal and there are no aversions, and close to exact otherwise: `python -m
benchmarks.pairing` at commit 42e2304 compares it with the exact matching.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations

from millrace.protocol import IdentityId

PATIENCE_PER_WAVE = 12
"""Rating points that each missed wave of either player adds to the window."""
MOST_PATIENCE = 460
"""Maximum widening by the missed waves of one player, in rating points."""
FEWER_AFTER_WAVES = 4
"""Missed waves required per seat that a match has fewer than requested.

If it were the same for all, two players would leave out a third who started to wait just after a wave."""
NEIGHBOURS = 4
"""Number of nearest neighbours in order of rating considered for a pair."""
GROUP_NEIGHBOURS = 4
"""The same for groups of three and four, where each further neighbour multiplies the candidates."""

BARRED = 1_000_000
"""The aversion of two players who must never be paired."""

Aversions = Mapping[IdentityId, Mapping[IdentityId, int]]
"""Rating points added to the gap of two players; symmetric."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """A player waiting for a pairing."""

    identity: IdentityId
    rating: int
    missed: int = 0
    """Waves that this player took part in without being paired."""
    takes_fewer: bool = False
    """Whether the player accepts a match with fewer seats after a while."""
    ratings: Mapping[int, int] = field(default_factory=dict, hash=False)
    """The player's ratings in matches with fewer seats, by number of seats; `rating` where one is missing."""

    @property
    def window(self) -> int:
        """The rating gap allowed in the first wave."""
        if self.rating < 1000:
            return 130
        return 100 if self.rating < 1500 else self.rating // 15

    def for_seats(self, seats: int) -> "Seeker":
        """Return the player with the rating for matches with this number of seats."""
        return replace(self, rating=self.ratings.get(seats, self.rating))

    @property
    def patience(self) -> int:
        """Rating points added to the window by missed waves."""
        return min(PATIENCE_PER_WAVE * self.missed, MOST_PATIENCE)


Group = tuple[Seeker, ...]
"""The players of one match, in order of rating."""

Groups = tuple[tuple[int, ...], ...]
"""Groups as indices into the players in order of rating."""


def pair_weight(one: Seeker, other: Seeker, aversions: Aversions) -> int:
    """Return the weight of a pair; negative if the two may not be paired in this wave.

    >>> pair_weight(Seeker(IdentityId("a"), 1400), Seeker(IdentityId("b"), 1460, missed=1), {})
    52
    """
    allowed = min(one.window, other.window) + one.patience + other.patience
    return allowed - abs(one.rating - other.rating) - aversions.get(one.identity, {}).get(other.identity, 0)


def make_groups(seekers: Sequence[Seeker], seats: int, aversions: Aversions) -> tuple[list[Group], list[Seeker]]:
    """Return the groups of one wave, and the remaining players.

    Full groups come first; then smaller ones among the remaining players who accept them and have waited long enough. A
    smaller group has similar ratings in matches with its number of seats.
    """
    groups, left = _find_groups(seekers, seats, aversions)
    for fewer in range(seats - 1, 1, -1):
        least_missed = FEWER_AFTER_WAVES * (seats - fewer)
        willing = [each for each in left if each.takes_fewer and each.missed >= least_missed]
        unwilling = [each for each in left if not (each.takes_fewer and each.missed >= least_missed)]
        smaller, _ = _find_groups([each.for_seats(fewer) for each in willing], fewer, aversions)
        groups += smaller
        grouped = {each.identity for group in smaller for each in group}
        left = [*unwilling, *(each for each in willing if each.identity not in grouped)]
    return groups, left


def _find_groups(seekers: Sequence[Seeker], size: int, aversions: Aversions) -> tuple[list[Group], list[Seeker]]:
    """Return groups of one size and the remaining players, repeating until no more groups are found."""
    left = sorted(seekers, key=lambda seeker: (seeker.rating, seeker.patience))
    groups: list[Group] = []
    while len(left) >= size:
        found = _best_pairs(left, aversions) if size == 2 else _best_groups(left, size, aversions)
        if not found:
            break
        groups += [tuple(left[index] for index in members) for members in found]
        taken = {index for members in found for index in members}
        left = [seeker for index, seeker in enumerate(left) if index not in taken]
    return groups, left


def _best_pairs(seekers: Sequence[Seeker], aversions: Aversions) -> list[tuple[int, ...]]:
    """Return the pairs of maximum total weight, as indices into seekers in order of rating.

    `best[n]` is the maximum weight of the first n players. The n-th stays alone or is paired with a near neighbour, and
    the players between stay alone; near an aversion, four in a row may also be paired crosswise. The loop repeats
    `pair_weight` inline because ten thousand players may wait.
    """
    windows = [seeker.window for seeker in seekers]
    lows = [seeker.patience + seeker.rating for seeker in seekers]
    highs = [seeker.patience - seeker.rating for seeker in seekers]
    best = [0]
    chosen: list[Groups] = [()] * (len(seekers) + 1)
    crosswise_until = -1
    for upper, seeker in enumerate(seekers):
        most = best[upper]
        choice: Groups = ()
        avoided = aversions.get(seeker.identity) if aversions else None
        if avoided:
            crosswise_until = upper + 3
        window, high = windows[upper], highs[upper]
        for lower in range(upper - 1, max(-1, upper - 1 - NEIGHBOURS), -1):
            weight = lows[lower] + high + (window if window < windows[lower] else windows[lower])
            if avoided:
                weight -= avoided.get(seekers[lower].identity, 0)
            if weight >= 0 and best[lower] + weight + 1 > most:
                most, choice = best[lower] + weight + 1, ((lower, upper),)
        if upper <= crosswise_until and upper >= 3:
            most, choice = _better_crosswise(seekers, upper, aversions, best[upper - 3], most, choice)
        best.append(most)
        chosen[upper + 1] = choice
    return list(_chosen(chosen))


def _better_crosswise(
    seekers: Sequence[Seeker],
    upper: int,
    aversions: Aversions,
    before: int,
    most: int,
    choice: Groups,
) -> tuple[int, Groups]:
    """Return the better of a choice and the two ways to pair four players in a row crosswise."""
    a, b, c, d = range(upper - 3, upper + 1)
    for pairs in (((a, c), (b, d)), ((b, c), (a, d))):
        weights = [pair_weight(seekers[low], seekers[high], aversions) for low, high in pairs]
        if min(weights) >= 0 and before + sum(weights) + 2 > most:
            most, choice = before + sum(weights) + 2, pairs
    return most, choice


def _best_groups(seekers: Sequence[Seeker], size: int, aversions: Aversions) -> list[tuple[int, ...]]:
    """Return the groups of maximum total weight, as indices into seekers in order of rating.

    The weight of a group is the sum over its pairs, each of which must be allowed.
    """
    best = [0]
    chosen: list[Groups] = [()] * (len(seekers) + 1)
    rows: list[dict[int, int]] = []
    for upper, seeker in enumerate(seekers):
        most = best[upper]
        choice: Groups = ()
        neighbours = range(max(0, upper - GROUP_NEIGHBOURS), upper)
        rows.append({lower: pair_weight(seekers[lower], seeker, aversions) for lower in neighbours})
        for others in combinations([lower for lower, weight in rows[upper].items() if weight >= 0], size - 1):
            weights = [rows[high][low] for low, high in combinations((*others, upper), 2)]
            if min(weights) >= 0 and best[others[0]] + sum(weights) + 1 > most:
                most, choice = best[others[0]] + sum(weights) + 1, ((*others, upper),)
        best.append(most)
        chosen[upper + 1] = choice
    return list(_chosen(chosen))


def _chosen(chosen: Sequence[Groups]) -> Iterator[tuple[int, ...]]:
    """Yield the groups of the best total weight, from the last choice back."""
    count = len(chosen) - 1
    while count > 0:
        groups = chosen[count]
        yield from groups
        count = min((group[0] for group in groups), default=count - 1)
