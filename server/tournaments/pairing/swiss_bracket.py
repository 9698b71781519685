"""The pairing of one bracket by the Dutch system: the earliest of its best candidates (articles 3 and 4). Pure.

A bracket is solved as a matching of maximum weight, in which the players below stand for where downfloaters go. Then
the candidates of that weight are narrowed in the order in which article 4 generates them: which moved-down players are
paired, whom each of them meets, which players of the remainder are exchanged between its halves, and whom each meets.

A large tournament would need large matchings if all players below took part. So a bracket is first solved on its own,
on the assumption that the rest of the round can be paired no matter who floats down. If that holds for the players who
do float down, no other candidate can be better. Otherwise it is solved again with all players below.
"""

from collections.abc import Sequence
from typing import NamedTuple

from .matching import UNIT, Matching
from .primal_dual import Weights
from .swiss_criteria import Criteria, Role, Terms, Vertex, descending, weigh
from .swiss_history import Player

TRIED_RESIDENTS = 4
"""How many players of the next bracket are tried as the player without an opponent."""

Pair = tuple[Player, Player]


class Bracket(NamedTuple):
    """The players of a bracket, each list in order of article 1.2."""

    moved: Sequence[Player]
    residents: Sequence[Player]
    below: Sequence[Sequence[Player]]
    """The players of each lower score group."""


class Pairing(NamedTuple):
    """The pairs of a bracket, the higher player first, and the players who are not paired in it."""

    pairs: list[Pair]
    downfloaters: list[Player]


def pair_bracket(bracket: Bracket, terms: Terms) -> Pairing:
    """Return the pairing of a bracket; the round can be completed after it, and must have been possible before."""
    if bracket.below and not _may_have_bye(bracket, terms):
        pairing = _pair_alone(bracket, terms)
        if _keeps_promise(bracket, pairing.downfloaters, terms):
            return pairing
    return _pair_with_all_below(bracket, terms)


def _may_have_bye(bracket: Bracket, terms: Terms) -> bool:
    """Return whether a player of the bracket gets the bye, since all below have lower scores."""
    return terms.bye_score is not None and terms.bye_score >= bracket.residents[0].score


def _pair_alone(bracket: Bracket, terms: Terms) -> Pairing:
    """Pair a bracket as if every set of downfloaters were as good for those below."""
    count = len(bracket.moved) + len(bracket.residents)
    fewest = max(count % 2, len(bracket.moved) - len(bracket.residents))
    for free in range(fewest, count + 1, 2):
        candidates = _Candidates(bracket, [Vertex(Role.FREE)] * free, terms)
        if candidates.possible:
            return candidates.earliest()
    raise AssertionError("Everybody may float down.")


def _keeps_promise(bracket: Bracket, downfloaters: Sequence[Player], terms: Terms) -> bool:
    """Return whether the round can be completed after the next bracket pairs all downfloaters and nearly all residents.

    One of the last residents is left over if their number is odd. False may also mean that it was not found out.
    """
    following, *rest = bracket.below
    if len(downfloaters) > len(following):
        return False
    lower = _lower(rest, terms)
    if (len(downfloaters) + len(following)) % 2 == 0:
        return _all_meet(downfloaters, following, terms) and _can_be_paired(lower, terms)
    return any(
        _all_meet(downfloaters, [player for player in following if player is not left_over], terms)
        and _can_be_paired([Vertex(Role.REST, left_over), *lower], terms)
        for left_over in following[: -TRIED_RESIDENTS - 1 : -1]
    )


def _all_meet(downfloaters: Sequence[Player], residents: Sequence[Player], terms: Terms) -> bool:
    moved = [Vertex(Role.MOVED, player) for player in downfloaters]
    return _can_be_paired([*moved, *(Vertex(Role.RESIDENT, player) for player in residents)], terms)


def _can_be_paired(vertices: Sequence[Vertex], terms: Terms) -> bool:
    criteria = Criteria(terms, (), 1)
    weights = weigh(vertices, lambda one, other: None if criteria.weight(one, other) is None else 0)
    return Matching(weights, duals=[0] * len(vertices)).solve()


def _lower(groups: Sequence[Sequence[Player]], terms: Terms) -> list[Vertex]:
    """Return the vertices of players below the next bracket, and of the bye if there is one."""
    rest = [Vertex(Role.REST, player) for group in groups for player in group]
    return rest if terms.bye_score is None else [*rest, Vertex(Role.BYE)]


def _pair_with_all_below(bracket: Bracket, terms: Terms) -> Pairing:
    following = [Vertex(Role.NEXT, player) for group in bracket.below[:1] for player in group]
    others = [*following, *_lower(bracket.below[1:], terms)]
    candidates = _Candidates(bracket, others, terms)
    assert candidates.possible
    if _may_have_bye(bracket, terms) and candidates.downfloats == 1:
        candidates = _Candidates(bracket, others, terms, counts_played=True)
        assert candidates.possible
    return candidates.earliest()


class _Candidates:
    """The best candidates for a bracket (article 3), from which the earliest is chosen step by step."""

    def __init__(self, bracket: Bracket, others: Sequence[Vertex], terms: Terms, *, counts_played: bool = False):
        moved = [Vertex(Role.MOVED, player) for player in bracket.moved]
        self._vertices = [*moved, *(Vertex(Role.RESIDENT, player) for player in bracket.residents), *others]
        self._inside = range(len(moved), len(moved) + len(bracket.residents))
        bits = max(len(self._vertices), *(vertex.player.played for vertex in self._vertices)).bit_length()
        counted = [vertex.player for vertex in self._vertices if vertex.role <= Role.NEXT]
        criteria = Criteria(terms, descending(counted), bits, counts_played)
        self._matching = Matching(weigh(self._vertices, criteria.weight), self._natural_pairs())
        self.possible = self._matching.solve()
        """Whether there is any candidate."""
        self._pairs: list[tuple[int, int]] = []

    @property
    def downfloats(self) -> int:
        """How many players of the bracket are not paired in it."""
        return sum(self._matching.mates[index] not in range(self._inside.stop) for index in range(self._inside.stop))

    def earliest(self) -> Pairing:
        """Return the candidate that article 4 generates first."""
        for index in self._choose_moved():
            self._pairs.append((index, self._matching.choose(index, self._inside)))
        self._pair_remainder()
        paired = {index for pair in self._pairs for index in pair}
        players = [vertex.player for vertex in self._vertices]
        return Pairing(
            [(players[one], players[other]) for one, other in self._pairs],
            [players[index] for index in range(self._inside.stop) if index not in paired],
        )

    def _natural_pairs(self) -> list[tuple[int, int]]:
        half = self._inside.stop // 2
        return [(index, index + half) for index in range(half)]

    def _choose_moved(self) -> list[int]:
        """Return which of the moved-down players are paired: as many of each score as can be, the first possible."""
        chosen: list[int] = []
        for score in descending(self._vertices[index].player for index in range(self._inside.start)):
            group = [index for index in range(self._inside.start) if self._vertices[index].player.score == score]
            chosen += self._choose_among(group)
        return chosen

    def _choose_among(self, group: Sequence[int]) -> list[int]:
        places = sum(self._matching.mates[index] in self._inside for index in group)
        if places == len(group):
            return list(group)
        chosen: list[int] = []
        for index in group:
            if len(chosen) < places and self._matching.favour(index, self._inside):
                chosen.append(index)
        return chosen

    def _pair_remainder(self) -> None:
        """Pair the residents who have not met a moved-down player (articles 3.3, 4.2 and 4.3)."""
        used = {index for pair in self._pairs for index in pair}
        left = [index for index in range(len(self._vertices)) if index not in used]
        size = sum(index in self._inside for index in left)
        first = sum(index < self._inside.start for index in left)
        duals = self._matching.duals()
        remainder = Remainder(
            self._weights_among(left),
            [duals[index] for index in left],
            range(first, first + size),
            self._pairs_among(left),
        )
        self._pairs += [(left[one], left[other]) for one, other in remainder.pairs()]

    def _weights_among(self, left: Sequence[int]) -> Weights:
        rows = (self._matching.weights[index] for index in left)
        return [[row[index] for index in left] for row in rows]

    def _pairs_among(self, left: Sequence[int]) -> int:
        mates = self._matching.mates
        return sum(index in self._inside and mates[index] in self._inside for index in left) // 2


class Remainder:
    """The pairing of a homogeneous bracket, or of the residents that the moved-down players leave."""

    def __init__(self, weights: Weights, duals: Sequence[int], inside: range, pairs: int):
        """Take the weights and duals of all vertices, the indices of the players, and how many pairs they can form."""
        self._inside = inside
        self._halves = inside[:pairs], inside[pairs:]
        self._bits = 3 * len(weights).bit_length()
        raised = [
            (dual << self._bits) + (self._addend(index) if index in self._halves[0] else 0)
            for index, dual in enumerate(duals)
        ]
        self._matching = Matching(self._with_exchanges(weights), zip(*self._halves, strict=False), raised)
        assert self._matching.solve()

    def pairs(self) -> list[tuple[int, int]]:
        """Return the pairs, the higher player first."""
        self._choose_exchanges()
        upper = [index for index in self._inside if self._is_upper(index)]
        return [(index, self._matching.choose(index, self._larger(index))) for index in upper]

    def _with_exchanges(self, weights: Weights) -> Weights:
        """Return the weights with two more digits: few exchanges, and small differences between those exchanged.

        The first half of a candidate holds the higher player of each pair (article 4.3.1).
        """
        result: Weights = [[None if weight is None else weight << self._bits for weight in row] for row in weights]
        for one in self._inside:
            addend = self._addend(one)
            for other in self._larger(one):
                weight = result[one][other]
                if weight is not None:
                    result[one][other] = result[other][one] = weight + addend
        return result

    def _addend(self, index: int) -> int:
        """Return what is added to the weight of a pair with this higher player; negative in the second half."""
        first, second = self._halves
        return UNIT * ((int(index in first) << self._bits * 2 // 3) + second.start - index)

    def _larger(self, index: int) -> range:
        return range(index + 1, self._inside.stop)

    def _is_upper(self, index: int) -> bool:
        return self._matching.mates[index] in self._larger(index)

    def _choose_exchanges(self) -> None:
        """Exchange the lowest players of the first half that can be, for the highest of the second (article 4.3.3)."""
        count = sum(not self._is_upper(index) for index in self._halves[0])
        exchanged = 0
        for index in reversed(self._halves[0]):
            larger = set(self._larger(index))
            others = [each for each in range(len(self._matching.mates)) if each not in larger]
            exchanged += exchanged < count and self._matching.favour(index, others)
        risen = 0
        for index in self._halves[1]:
            risen += risen < count and self._matching.favour(index, self._larger(index))
