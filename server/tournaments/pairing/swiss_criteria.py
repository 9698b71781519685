"""The criteria of the Dutch system, as weights of pairs: the best pairing of a bracket has the largest sum. Pure.

The criteria are those of C.04.3 in their order: C1 to C3 say which pairs are allowed at all, C5 decides
beforehand which score gets the bye, and each of C6 to C21 is one or more digits of a weight, in a base that no sum can
exceed. What a criterion wants few of, a digit counts the opposite of: the number of pairs is fixed by C6, and the
number of pairs of each moved-down score by C7.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise

from .matching import UNIT
from .primal_dual import Weights
from .swiss_history import ABSOLUTE, STRONG, Float, Player


class Role(IntEnum):
    """What a vertex is in the pairing of a bracket."""

    MOVED = 0
    """A player moved down from a higher bracket."""
    RESIDENT = 1
    NEXT = 2
    """A player of the next bracket, whose pairs C8 counts."""
    REST = 3
    """A player of a bracket below, with whom the round must be completed."""
    FREE = 4
    """A place for a player who leaves the bracket, where those below are not looked at."""
    BYE = 5


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for a whole round."""

    bye_score: int | None = None
    """The score of the player who gets the bye; None if nobody does."""
    top_score: int | None = None
    """In the last round, the score above which players are topscorers."""

    def may_meet(self, one: Player, other: Player) -> bool:
        """Return whether criterion C3 allows two players to meet; C1 is left to the caller."""
        if one.strength < ABSOLUTE or other.strength < ABSOLUTE or one.preference != other.preference:
            return True
        return self.top_score is not None and max(one.score, other.score) > self.top_score

    def may_have_bye(self, player: Player) -> bool:
        """Return whether criteria C2 and C5 allow a player the bye."""
        return player.score == self.bye_score and not player.had_bye


NOBODY = Player(number=0, score=0)


@dataclass(frozen=True, slots=True)
class Vertex:
    """A player in a role, or a free place or the bye, which are nobody."""

    role: Role
    player: Player = NOBODY


@dataclass(frozen=True, slots=True)
class Criteria:
    """The criteria of one bracket."""

    terms: Terms
    scores: tuple[int, ...]
    """The scores in the bracket and in the next, the highest first."""
    bits: int
    """The size of a digit."""
    counts_played: bool = False
    """Whether C9 counts the matches played by the player who gets the bye."""

    def weight(self, one: Vertex, other: Vertex) -> int | None:
        """Return the weight of a pair who have not met; None if it is not allowed."""
        higher, lower = (one, other) if one.role <= other.role else (other, one)
        if lower.role is Role.BYE:
            return self._bye_weight(higher)
        if lower.role is Role.FREE:
            return 0 if higher.role < Role.NEXT else None
        if lower.role is Role.MOVED or not self.terms.may_meet(higher.player, lower.player):
            return None
        if lower.role is Role.REST:
            return 0
        return UNIT * self._number(self._digits(higher, lower))

    def _bye_weight(self, vertex: Vertex) -> int | None:
        if vertex.role > Role.REST or not self.terms.may_have_bye(vertex.player):
            return None
        if not self.counts_played:
            return 0
        return UNIT * vertex.player.played << self.bits * (8 + 4 * len(self.scores))

    def _number(self, digits: Iterable[int]) -> int:
        number = 0
        for digit in digits:
            number = number << self.bits | digit
        return number

    def _digits(self, higher: Vertex, lower: Vertex) -> list[int]:
        """Return the digits of a pair in the bracket or in the next one."""
        here = lower.role is Role.RESIDENT
        level = self._at_score(higher)
        nothing = [0] * len(level)
        joins = [here, *(level if here else nothing), not here, *(nothing if here else level), 0]
        if not here:
            return [*joins, *[0] * 8, *nothing * 4]
        moved = higher.role is Role.MOVED
        one, other = higher.player, lower.player
        repeats = [
            count for back in (0, 1) for count in (_kept_down(higher, lower, back), not (moved and _up(other, back)))
        ]
        gaps = [
            digit
            for back in (0, 1)
            for counts in (moved and one.floats[back] is Float.DOWN, moved and not _up(other, back))
            for digit in (level if counts else nothing)
        ]
        return [*joins, *(not broken(one, other) for broken in COLOUR_CRITERIA), *repeats, *gaps]

    def _at_score(self, vertex: Vertex) -> list[int]:
        return [int(score == vertex.player.score) for score in self.scores]


def weigh(vertices: Sequence[Vertex], weight: Callable[[Vertex, Vertex], int | None]) -> Weights:
    """Return the weights of all pairs of vertices; players who have met, or must not meet, have none."""
    kinds: dict[tuple[object, ...], int] = {}
    kind_of = [kinds.setdefault(_kind(vertex), len(kinds)) for vertex in vertices]
    examples = [vertices[kind_of.index(kind)] for kind in range(len(kinds))]
    table = [[weight(one, other) for other in examples] for one in examples]
    weights = [[row[kind] for kind in kind_of] for row in (table[kind] for kind in kind_of)]
    index_of = {vertex.player.number: index for index, vertex in enumerate(vertices) if vertex.player.number}
    for index, vertex in enumerate(vertices):
        weights[index][index] = None
        for number in vertex.player.barred:
            if number in index_of:
                weights[index][index_of[number]] = None
    return weights


def _kind(vertex: Vertex) -> tuple[object, ...]:
    """Return what the weights of a player's pairs depend on, besides whom the player has met."""
    player = vertex.player
    return (
        vertex.role,
        player.score,
        player.preference,
        player.strength,
        player.repeated,
        player.difference,
        player.floats,
        player.had_bye,
        player.played,
    )


def _kept_down(higher: Vertex, lower: Vertex, back: int) -> int:
    """Return how many residents of a pair would float down again (C14, C16) if they were not paired."""
    return sum(each.role is Role.RESIDENT and each.player.floats[back] is Float.DOWN for each in (higher, lower))


def _up(player: Player, back: int) -> bool:
    return player.floats[back] is Float.UP


def _same_preference(one: Player, other: Player) -> bool:
    return one.preference is not None and one.preference == other.preference


def _exceeds_difference(one: Player, other: Player) -> bool:
    """Criterion C10: one of the two gets a colour difference beyond 2."""
    return _same_preference(one, other) and min(abs(one.difference), abs(other.difference)) > 1


def _repeats_colour(one: Player, other: Player) -> bool:
    """Criterion C11: one of the two gets a colour for the third time in a row."""
    if not _same_preference(one, other) or min(one.strength, other.strength) < ABSOLUTE:
        return False
    if abs(one.difference) == abs(other.difference):
        return one.repeated is not None and one.repeated == other.repeated
    yields = min(one, other, key=lambda player: abs(player.difference))
    assert yields.preference is not None
    return yields.repeated is yields.preference.other


def _breaks_strong_preference(one: Player, other: Player) -> bool:
    """Criterion C13: a strong preference is not granted."""
    both_absolute = min(one.strength, other.strength) == ABSOLUTE
    return _same_preference(one, other) and min(one.strength, other.strength) >= STRONG and not both_absolute


COLOUR_CRITERIA = (_exceeds_difference, _repeats_colour, _same_preference, _breaks_strong_preference)
"""Criteria C10 to C13; C12 asks that preferences are granted."""


def descending(players: Iterable[Player]) -> tuple[int, ...]:
    """Return the scores of players, each once, the highest first."""
    return tuple(sorted({player.score for player in players}, reverse=True))


def score_groups(players: Sequence[Player]) -> list[list[Player]]:
    """Split players in order of score into groups of the same score."""
    starts = [0, *(index for index in range(1, len(players)) if players[index].score < players[index - 1].score)]
    return [list(players[start:end]) for start, end in pairwise([*starts, len(players)])]
