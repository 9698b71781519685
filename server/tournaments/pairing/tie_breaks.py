"""The standings of a Swiss tournament and the tie-breaks of FIDE's C.07 (as of 1 March 2026). Pure.

Points are in half points, and Sonneborn-Berger in quarter points.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from .swiss_history import Entrant, Result, Round, Swiss

RATING_GAPS = (
    *(0, 7, 14, 21, 29, 36, 43, 50, 57, 65),
    *(72, 80, 87, 95, 102, 110, 117, 125, 133, 141),
    *(149, 158, 166, 175, 184, 193, 202, 211, 220, 230),
    *(240, 251, 262, 273, 284, 296, 309, 322, 336, 351),
    *(366, 383, 401, 422, 444, 470, 501, 538, 589, 677, 800),
)
"""How much better than the opponents a player performs, by the percentage of points beyond 50 (FIDE B.02, 8.1.1)."""

REQUESTED_BYES = frozenset((Result.HALF_POINT_BYE, Result.ZERO_POINT_BYE))


@dataclass(frozen=True, slots=True)
class Standing:
    """A player's place and what decides it."""

    number: int
    points: int
    buchholz: int
    sonneborn_berger: int
    performance: int | None
    """None if the player has played nobody with a rating."""


def standings(swiss: Swiss) -> list[Standing]:
    """Return the players from the first to the last.

    Ties are broken by Buchholz, Sonneborn-Berger, the direct encounter, the performance, and last the pairing number.
    """
    table = Table(swiss)
    all_standings = sorted((table.standing(entrant) for entrant in swiss.entrants), key=_without_encounters)
    ordered: list[Standing] = []
    for _, group in groupby(all_standings, key=_without_encounters):
        tied = {standing.number: standing for standing in group}
        for numbers in table.by_direct_encounter(list(tied)):
            ordered += sorted(map(tied.__getitem__, numbers), key=lambda each: (-(each.performance or 0), each.number))
    return ordered


def _without_encounters(standing: Standing) -> tuple[int, int, int]:
    return -standing.points, -standing.buchholz, -standing.sonneborn_berger


class Table:
    """The results of a tournament, with what each player's points count for others."""

    def __init__(self, swiss: Swiss):
        self._swiss = swiss
        self._entrants = {entrant.number: entrant for entrant in swiss.entrants}
        self._points = {number: scores[-1] for number, scores in swiss.scores().items()}
        self._adjusted = {entrant.number: self._adjusted_points(entrant) for entrant in swiss.entrants}

    def standing(self, entrant: Entrant) -> Standing:
        """Return a player's points and tie-breaks."""
        rounds = list(self._rounds(entrant))
        return Standing(
            number=entrant.number,
            points=self._points[entrant.number],
            buchholz=sum(self._opponent_points(entrant, each) for each in rounds),
            sonneborn_berger=sum(self._opponent_points(entrant, each) * self._scored(each) for each in rounds),
            performance=self._performance(rounds),
        )

    def by_direct_encounter(self, numbers: Sequence[int]) -> list[list[int]]:
        """Return players in order of their matches with each other, those who stay tied together (C.07, article 6).

        If not all have met, those come first whom nobody can overtake, whatever the missing results were.
        """
        if len(numbers) < 2:
            return [list(numbers)]
        points = {number: self._points_against(number, numbers) for number in numbers}
        if all(missing == 0 for _, missing in points.values()):
            ordered = sorted(numbers, key=lambda number: -points[number][0])
            groups = [list(group) for _, group in groupby(ordered, key=lambda number: points[number][0])]
        else:
            groups = self._unreachable_first(points)
        if len(groups) == 1:
            return groups
        return [part for group in groups for part in self.by_direct_encounter(group)]

    def _unreachable_first(self, points: Mapping[int, tuple[int, int]]) -> list[list[int]]:
        win = self._swiss.scoring.win
        leader = max(points, key=lambda number: points[number][0])
        others = [number for number in points if number != leader]
        if all(points[leader][0] > points[other][0] + win * points[other][1] for other in others):
            return [[leader], others]
        return [list(points)]

    def _points_against(self, number: int, others: Sequence[int]) -> tuple[int, int]:
        """Return a player's points in matches with others, and how many of them the player has not met."""
        met = [each for each in self._rounds(self._entrants[number]) if each.played and each.opponent in others]
        return sum(map(self._scored, met)), len(others) - 1 - len(met)

    def _rounds(self, entrant: Entrant) -> Iterator[Round]:
        """Yield a player's rounds; one that is missing counts as a zero-point bye."""
        for each in self._swiss.rounds_of(entrant):
            yield each or Round(Result.ZERO_POINT_BYE)

    def _scored(self, each: Round) -> int:
        return self._swiss.scoring.points(each.result)

    def _adjusted_points(self, entrant: Entrant) -> int:
        """Return what a player's points count for opponents: requested byes at the end are draws (article 16.3)."""
        rounds = list(self._rounds(entrant))
        last = max((index for index, each in enumerate(rounds) if each.paired), default=-1)
        return sum(
            self._swiss.scoring.draw if index > last and each.result in REQUESTED_BYES else self._scored(each)
            for index, each in enumerate(rounds)
        )

    def _opponent_points(self, entrant: Entrant, each: Round) -> int:
        """Return the opponent's points; a dummy has those of the player, but not more than article 16.4 allows."""
        if each.played and each.opponent is not None:
            return self._adjusted[each.opponent]
        if each.opponent is not None:
            return min(self._points[entrant.number], self._adjusted[each.opponent])
        return min(self._points[entrant.number], self._swiss.scoring.draw * self._swiss.rounds)

    def _performance(self, rounds: Sequence[Round]) -> int | None:
        """Return the mean rating of the opponents, and the gap that the score against them stands for."""
        rated = [
            (self._entrants[each.opponent].rating, self._scored(each))
            for each in rounds
            if each.played and each.opponent is not None and self._entrants[each.opponent].rating
        ]
        if not rated:
            return None
        mean = _rounded(sum(rating for rating, _ in rated), len(rated))
        percentage = _rounded(100 * sum(points for _, points in rated), self._swiss.scoring.win * len(rated))
        return mean + rating_gap(percentage)


def rating_gap(percentage: int) -> int:
    """Return how much better than the opponents a player with this percentage of the points is.

    >>> rating_gap(50), rating_gap(75), rating_gap(0)
    (0, 193, -800)
    """
    return RATING_GAPS[percentage - 50] if percentage >= 50 else -RATING_GAPS[50 - percentage]


def _rounded(numerator: int, denominator: int) -> int:
    """Return a quotient rounded to the nearest whole number, halves up."""
    return (2 * numerator + denominator) // (2 * denominator)
