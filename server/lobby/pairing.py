"""Who plays whom: one wave of the quick pairing, for those who wait for the same kind of match.

Pure, and without memory: who waits, for how long and with whom they have just played is kept by `server.lobby.pools`,
which imports this.

Two seekers may meet while their rating gap is within the window of both; each missed wave widens it. What a pair is
worth is what its gap leaves of the window. The pairs of a wave are to be worth as much as possible together, which is
a maximum-weight matching; but ratings lie on a line. Crossing pairs can be uncrossed at no loss, and a pair never gains
by leaving out two between its members, so dynamic programming over the order of ratings finds that matching in a time
that grows with the number of seekers only. It is exact where the windows are alike and nobody is averse to anybody, and
next to that elsewhere: `python -m benchmarks.pairing` measures it beside the exact matching.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from ..protocol import IdentityId

PATIENCE_PER_WAVE = 12
"""So many rating points a missed wave adds to the window, from each of both sides."""
MOST_PATIENCE = 460
FEWER_AFTER_WAVES = 4
"""So many waves somebody has missed before a group with fewer seats than wished is made."""
REACH = 4
"""A partner is looked for among so many neighbours in the order of ratings."""
GROUP_REACH = 4
"""The same for groups of three and four, of which each neighbour more means many more."""

BARRED = 1_000_000
"""As an aversion: these two never meet."""

Aversions = Mapping[IdentityId, Mapping[IdentityId, int]]
"""By how many rating points two seem further apart than they are; the same seen from both."""


@dataclass(frozen=True, slots=True)
class Seeker:
    """Somebody who waits."""

    identity: IdentityId
    rating: int
    missed: int = 0
    """Waves that have passed without a match for this seeker."""
    takes_fewer: bool = False
    """Whether a match with fewer seats will do after a while."""

    @property
    def window(self) -> int:
        """The rating gap that is allowed at once."""
        if self.rating < 1000:
            return 130
        return 100 if self.rating < 1500 else self.rating // 15

    @property
    def patience(self) -> int:
        """By how much the waves missed have widened the window."""
        return min(PATIENCE_PER_WAVE * self.missed, MOST_PATIENCE)


Group = tuple[Seeker, ...]
"""Those who are to play one match, by rating."""


Groups = tuple[tuple[int, ...], ...]
"""Groups by the members' indices, in order of rating."""


def worth_of(one: Seeker, other: Seeker, aversions: Aversions) -> int:
    """Return what a pair is worth; less than 0 if the two may not meet in this wave.

    >>> worth_of(Seeker(IdentityId("a"), 1400), Seeker(IdentityId("b"), 1460, missed=1), {})
    52
    """
    allowed = min(one.window, other.window) + one.patience + other.patience
    return allowed - abs(one.rating - other.rating) - aversions.get(one.identity, {}).get(other.identity, 0)


def make_groups(seekers: Sequence[Seeker], seats: int, aversions: Aversions) -> tuple[list[Group], list[Seeker]]:
    """Return the groups of one wave, and who is left.

    Groups have as many members as the match has seats; then, of those who are left, smaller ones of members who have
    all agreed to that and waited long enough.
    """
    groups, left = _find_groups(seekers, seats, aversions)
    for fewer in range(seats - 1, 1, -1):
        willing = [each for each in left if each.takes_fewer and each.missed >= FEWER_AFTER_WAVES]
        smaller, still_left = _find_groups(willing, fewer, aversions)
        groups += smaller
        unwilling = [each for each in left if not (each.takes_fewer and each.missed >= FEWER_AFTER_WAVES)]
        left = [*unwilling, *still_left]
    return groups, left


def _find_groups(seekers: Sequence[Seeker], size: int, aversions: Aversions) -> tuple[list[Group], list[Seeker]]:
    """Return groups of one size and who is left; looks again at those left until nothing more is found."""
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
    """Return the pairs, by index into seekers in order of rating, that are worth most together.

    `best[n]` is what the first n can be worth. The n-th stays alone or meets a near neighbour, those between staying
    alone; where aversions are in play, four in a row may also be paired crosswise. Spelt out instead of asking
    `worth_of`, since ten thousand may wait.
    """
    windows = [seeker.window for seeker in seekers]
    lows = [seeker.patience + seeker.rating for seeker in seekers]
    highs = [seeker.patience - seeker.rating for seeker in seekers]
    best = [0]
    chosen: list[Groups] = [()] * (len(seekers) + 1)
    shy_until = -1
    for upper, seeker in enumerate(seekers):
        most = best[upper]
        choice: Groups = ()
        shunned = aversions.get(seeker.identity) if aversions else None
        if shunned:
            shy_until = upper + 3
        window, high = windows[upper], highs[upper]
        for lower in range(upper - 1, max(-1, upper - 1 - REACH), -1):
            worth = lows[lower] + high + (window if window < windows[lower] else windows[lower])
            if shunned:
                worth -= shunned.get(seekers[lower].identity, 0)
            if worth >= 0 and best[lower] + worth + 1 > most:
                most, choice = best[lower] + worth + 1, ((lower, upper),)
        if upper <= shy_until and upper >= 3:
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
    """Return the better of a choice and the two ways to pair four in a row otherwise than with their neighbours."""
    a, b, c, d = range(upper - 3, upper + 1)
    for pairs in (((a, c), (b, d)), ((b, c), (a, d))):
        worths = [worth_of(seekers[low], seekers[high], aversions) for low, high in pairs]
        if min(worths) >= 0 and before + sum(worths) + 2 > most:
            most, choice = before + sum(worths) + 2, pairs
    return most, choice


def _best_groups(seekers: Sequence[Seeker], size: int, aversions: Aversions) -> list[tuple[int, ...]]:
    """Return the groups, by index into seekers in order of rating, that are worth most together.

    A group is worth what its pairs are, each of which must be allowed.
    """
    best = [0]
    chosen: list[Groups] = [()] * (len(seekers) + 1)
    rows: list[dict[int, int]] = []
    for upper, seeker in enumerate(seekers):
        most = best[upper]
        choice: Groups = ()
        reach = range(max(0, upper - GROUP_REACH), upper)
        rows.append({lower: worth_of(seekers[lower], seeker, aversions) for lower in reach})
        for others in combinations([lower for lower, worth in rows[upper].items() if worth >= 0], size - 1):
            worths = [rows[high][low] for low, high in combinations((*others, upper), 2)]
            if min(worths) >= 0 and best[others[0]] + sum(worths) + 1 > most:
                most, choice = best[others[0]] + sum(worths) + 1, ((*others, upper),)
        best.append(most)
        chosen[upper + 1] = choice
    return list(_chosen(chosen))


def _chosen(chosen: Sequence[Groups]) -> Iterator[tuple[int, ...]]:
    """Yield the groups that lead to the best worth of all, from the last choice back."""
    count = len(chosen) - 1
    while count > 0:
        groups = chosen[count]
        yield from groups
        count = min((group[0] for group in groups), default=count - 1)
