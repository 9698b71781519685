"""A perfect matching of maximum total weight that can be asked again after small changes."""

from collections.abc import Collection, Iterable, Sequence

from .primal_dual import PrimalDual

UNIT = 4
"""Weights are multiples of this, so that halves are whole and a preference can be worth less than any weight."""
PREFERENCE = 2
"""What an edge gains while it is preferred: less than any difference between the weights of two matchings."""


def match_all(costs: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Return the pairs of a perfect matching of least total cost, each with the lower index first.

    `costs` is a symmetric matrix of an even number of rows; its diagonal is ignored. A hundred rows take 25 ms.

    >>> match_all([[0, 1, 9, 9], [1, 0, 2, 9], [9, 2, 0, 1], [9, 9, 1, 0]])
    [(0, 1), (2, 3)]
    """
    pairs = PrimalDual(
        [
            [None if row == column else -UNIT * cost for column, cost in enumerate(each)]
            for row, each in enumerate(costs)
        ]
    )
    assert pairs.solve(), "an odd number cannot be paired"
    return [(one, other) for one, other in enumerate(pairs.mates) if other is not None and one < other]


class Matching(PrimalDual):
    """The matching of a graph. It owns the weights that it is given, and changes them.

    >>> pairs = Matching([[None, 4, 8], [4, None, 4], [8, 4, None]])
    >>> pairs.solve()
    False
    >>> pairs = Matching([[None, 4, 8, 8], [4, None, 4, 8], [8, 4, None, 8], [8, 8, 8, None]])
    >>> pairs.solve(), pairs.mates
    (True, [2, 3, 0, 1])
    """

    def total(self) -> int:
        """Return the sum of the weights of all pairs."""
        return sum(self.weights[u][v] or 0 for u, v in enumerate(self.mates) if v is not None and u < v)

    def duals(self) -> list[int]:
        """Return duals of the vertices that leave no edge negative slack, also without blossoms."""
        duals = list(self._y)
        for vertex in range(len(duals)):
            node = self._nodes[vertex].parent
            while node:
                duals[vertex] += node.dual // 2
                node = node.parent
        return duals

    def choose(self, vertex: int, candidates: Iterable[int]) -> int:
        """Match a vertex for good with the first candidate that leaves the weight at its maximum; return its mate."""
        for candidate in candidates:
            if not self._settled[candidate] and (self.mates[vertex] == candidate or self._try(vertex, candidate)):
                break
        mate = self.mates[vertex]
        assert mate is not None
        self._settle(vertex, mate)
        return mate

    def favour(self, vertex: int, targets: Collection[int]) -> bool:
        """Match a vertex with one of the targets, if that leaves the weight at its maximum; return whether it does.

        If so, all other edges of the vertex are removed.
        """
        self._release(vertex)
        self._add(vertex, targets, PREFERENCE)
        self._lift(vertex)
        assert self.solve()
        favoured = self.mates[vertex] in targets
        self._release(vertex)
        self._add(vertex, targets, -PREFERENCE)
        if favoured:
            self._y[vertex] -= PREFERENCE
            self._remove(vertex, targets)
        assert self.solve()
        return favoured

    def _try(self, vertex: int, candidate: int) -> bool:
        """Match two vertices if that leaves the weight at its maximum."""
        in_blossom = self._tops[vertex].children and self._tops[vertex] is self._tops[candidate]
        if self._slack(vertex, candidate) > 0 and not (in_blossom and self.weights[vertex][candidate] is not None):
            return False
        return self._swap(vertex, candidate) or self.favour(vertex, {candidate})

    def _swap(self, u: int, v: int) -> bool:
        """Exchange the mates of two vertices with a tight edge if their mates have one too."""
        former, other = self.mates[u], self.mates[v]
        assert former is not None
        assert other is not None
        if any(self._tops[each].children for each in (u, v, former, other)) or self._slack(former, other) != 0:
            return False
        self.mates[u], self.mates[v] = v, u
        self.mates[former], self.mates[other] = other, former
        return True

    def _settle(self, u: int, v: int) -> None:
        """Take a pair out of the graph."""
        for one, other in ((u, v), (v, u)):
            if self._tops[one].children:
                self._release(one)
                self._remove(one, {other})
                assert self.solve()
        for each in (u, v):
            self._active.remove(each)
            self._settled[each] = True

    def _add(self, vertex: int, targets: Iterable[int], addend: int) -> None:
        row = self.weights[vertex]
        for target in targets:
            weight = row[target]
            if weight is not None:
                row[target] = self.weights[target][vertex] = weight + addend

    def _remove(self, vertex: int, targets: Collection[int]) -> None:
        """Remove the edges of a vertex, which is in no blossom, except those to the targets."""
        for other, row in enumerate(self.weights):
            if other not in targets:
                self.weights[vertex][other] = row[vertex] = None

    def _lift(self, vertex: int) -> None:
        """Raise the dual of a vertex, which is in no blossom, until no edge has negative slack."""
        least = min(self._slack(vertex, other) for other in self._active)
        if least >= 0:
            return
        self._y[vertex] -= int(least)
        mate = self.mates[vertex]
        if mate is not None and self._slack(vertex, mate) > 0:
            self.mates[vertex] = self.mates[mate] = None

    def _release(self, vertex: int) -> None:
        """Dissolve the blossoms that contain a vertex."""
        while self._tops[vertex].children:
            self._dissolve(self._tops[vertex])
