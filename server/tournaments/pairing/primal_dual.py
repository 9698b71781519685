"""The search for a perfect matching of maximum total weight in a general graph.

Edmonds' blossom algorithm in its primal-dual form: J. Edmonds, "Paths, trees, and flowers" (1965);
Z. Galil, "Efficient algorithms for finding maximum matching in graphs" (1986).

Each vertex has a dual y and each blossom a dual z >= 0, and every edge has slack y[u] + y[v] - weight >= 0 (edges
inside a blossom also count its z). Matched edges and the edges of blossoms are tight: their slack is 0. A perfect
matching with such duals has maximum weight. A search grows a tree of tight edges from each unmatched vertex. Its nodes
are outer (an even number of edges from the root) or inner. When no tight edge is left, the duals of all nodes in trees
change by the same amount until an edge becomes tight. Two trees that meet make an augmenting path.

During a search y and z are stored so that they need no update when the duals change: `_elapsed` is the sum of the
changes. The dual of an outer vertex is y - elapsed, that of an inner one y + elapsed; z of an outer blossom is
z + 2 elapsed, that of an inner one z - 2 elapsed.
"""

from collections.abc import Iterable, Sequence

from .blossoms import FREE, INNER, OUTER, Edge, Node, rebase

NEVER = float("inf")

Weights = list[list[int | None]]
"""Weights by vertex and vertex, symmetric, multiples of four; None where there is no edge."""


class PrimalDual:
    """A matching and its duals: no edge has negative slack, and matched edges have none."""

    def __init__(self, weights: Weights, guess: Iterable[Edge] = (), duals: list[int] | None = None):
        """Take the weights, the pairs to begin with where they are tight, and duals that leave no negative slack."""
        self.weights = weights
        self.mates: list[int | None] = [None] * len(weights)
        self._active = list(range(len(weights)))
        self._settled = [False] * len(weights)
        self._y = duals or starting_duals(weights)
        self._nodes = [Node(vertex) for vertex in self._active]
        self._tops = list(self._nodes)
        self._labels = [FREE] * len(weights)
        self._elapsed = 0
        self._times: list[float] = []
        self._meeting_times: list[float] = []
        self._cycle_times: list[float] = []
        self._roots: list[int] = []
        self._nearest: list[int] = []
        self._cycle_nearest: list[int] = []
        self._queue: list[int] = []
        self._labelled: list[Node] = []
        self._match_greedily(guess)

    def solve(self) -> bool:
        """Complete the matching with maximum weight; return False if there is no perfect matching."""
        while roots := [vertex for vertex in self._active if self.mates[vertex] is None]:
            if not self._search(roots):
                return False
        return True

    def _match_greedily(self, guess: Iterable[Edge]) -> None:
        for u, v in guess:
            if self._slack(u, v) == 0:
                self.mates[u], self.mates[v] = v, u
        for u in self._active:
            if self.mates[u] is None and not self._match_if_tight(u) and self._lower(u):
                self._match_if_tight(u)

    def _match_if_tight(self, u: int) -> bool:
        """Match a vertex along a tight edge with an unmatched one; return whether there is any."""
        row, dual = self.weights[u], self._y[u]
        for v, mate in enumerate(self.mates):
            if mate is None and row[v] is not None and row[v] == dual + self._y[v]:
                self.mates[u], self.mates[v] = v, u
                return True
        return False

    def _lower(self, u: int) -> bool:
        """Lower the dual of an unmatched vertex until an edge is tight; return whether that was possible."""
        least = min((self._slack(u, v) for v in self._active), default=NEVER)
        if not 0 < least < NEVER:
            return False
        self._y[u] -= int(least)
        return True

    def _slack(self, u: int, v: int) -> float:
        weight = self.weights[u][v]
        return NEVER if weight is None else self._y[u] + self._y[v] - weight

    def _dissolve(self, blossom: Node) -> None:
        """Make a blossom's children nodes of their own. If z > 0, the edge that leaves it is tight no longer."""
        if blossom.dual:
            for vertex in blossom.vertices:
                self._y[vertex] += blossom.dual // 2
            mate = self.mates[blossom.base]
            if mate is not None:
                self.mates[blossom.base] = self.mates[mate] = None
        self._free_children(blossom)

    def _free_children(self, blossom: Node) -> None:
        for child in blossom.children:
            child.parent = None
            for vertex in child.vertices:
                self._tops[vertex] = child

    def _search(self, roots: Sequence[int]) -> bool:
        """Match along a path between two of the roots, all vertices without a mate; return False if there is none."""
        self._elapsed = 0
        self._times, self._meeting_times, self._cycle_times = ([NEVER] * len(self.weights) for _ in range(3))
        self._nearest, self._cycle_nearest = ([-1] * len(self.weights) for _ in range(2))
        self._roots = list(range(len(self.weights)))
        self._queue, self._labelled = [], []
        for root in roots:
            self._make_even(root)
            self._make_outer(self._tops[root], None)
        found = self._grow_until_matched()
        self._end_search()
        return found

    def _make_even(self, root: int) -> None:
        """Make the dual of a root even, so that the slack between any two outer vertices is."""
        if self._y[root] % 2 == 0:
            return
        while self._tops[root].children and not self._tops[root].dual:
            self._dissolve(self._tops[root])
        node = self._tops[root]
        node.dual -= 2 if node.children else 0
        for vertex in node.vertices:
            self._y[vertex] += 1

    def _grow_until_matched(self) -> bool:
        while True:
            while self._queue:
                end = self._scan(self._queue.pop())
                if end is not None:
                    self._augment(self._nearest[end], end)
                    return True
            times = [min(self._meeting_times), min(self._times), min(self._cycle_times)]
            time = min(times)
            blossom = self._first_to_expand()
            if blossom is not None and blossom.dual <= 2 * time:
                self._elapsed = blossom.dual // 2
                self._expand(blossom)
                continue
            if time == NEVER:
                return False
            if time == times[2] and self._closed(self._cycle_times.index(time)):
                continue
            self._elapsed = int(time)
            if time == times[0]:
                end = self._meeting_times.index(time)
                self._augment(self._nearest[end], end)
                return True
            if time == times[1]:
                self._reach(self._times.index(time))
            else:
                end = self._cycle_times.index(time)
                self._shrink(self._cycle_nearest[end], end)

    def _closed(self, v: int) -> bool:
        """Return whether the cycle that an edge of this vertex would close is in a blossom; then find the next edge."""
        if self._tops[self._cycle_nearest[v]] is not self._tops[v]:
            return False
        self._scan_cycles(v)
        return True

    def _first_to_expand(self) -> Node | None:
        """Return the inner blossom whose z becomes 0 first."""
        blossoms = (node for node in self._labelled if node.label == INNER and node.children)
        return min(blossoms, key=lambda node: node.dual, default=None)

    def _reach(self, v: int) -> None:
        """Add a node to which an edge of a tree has become tight, and its mate."""
        node = self._tops[v]
        mate = self.mates[node.base]
        assert mate is not None
        self._make_inner(node, (self._nearest[v], v))
        self._make_outer(self._tops[mate], (node.base, mate))

    def _scan(self, u: int) -> int | None:
        """Note when the edges of a new outer vertex become tight; return a vertex of another tree if its edge is."""
        dual, row, own, root = self._y[u], self.weights[u], self._tops[u], self._roots[u]
        y, labels, tops, roots = self._y, self._labels, self._tops, self._roots
        times, nearest, cycle_times, meeting_times = self._times, self._nearest, self._cycle_times, self._meeting_times
        for v in self._active:
            weight = row[v]
            if weight is None:
                continue
            label = labels[v]
            if label == FREE:
                time = dual + y[v] - weight
                if time < times[v]:
                    times[v] = time
                    nearest[v] = u
            elif label == OUTER and roots[v] != root:
                time = (dual + y[v] - weight) // 2
                if time < meeting_times[v]:
                    meeting_times[v] = time
                    nearest[v] = u
                    if time <= self._elapsed:
                        return v
            elif label == OUTER and tops[v] is not own:
                time = (dual + y[v] - weight) // 2
                if time < cycle_times[v]:
                    cycle_times[v] = time
                    self._cycle_nearest[v] = u
        return None

    def _scan_free(self, v: int) -> None:
        """Note when the first edge from an outer vertex to this free one becomes tight."""
        for u in self._active:
            weight = self.weights[u][v]
            if self._labels[u] == OUTER and weight is not None:
                time = self._y[u] + self._y[v] - weight
                if time < self._times[v]:
                    self._times[v] = time
                    self._nearest[v] = u

    def _scan_cycles(self, v: int) -> None:
        """Note when the first edge from this outer vertex to another node of its tree becomes tight."""
        own, root, times = self._tops[v], self._roots[v], self._cycle_times
        times[v] = NEVER
        for u in self._active:
            weight = self.weights[u][v]
            if weight is not None and self._labels[u] == OUTER and self._roots[u] == root and self._tops[u] is not own:
                time = (self._y[u] + self._y[v] - weight) // 2
                if time < times[v]:
                    times[v] = time
                    self._cycle_nearest[v] = u

    def _make_outer(self, node: Node, entry: Edge | None) -> None:
        self._label(node, OUTER, entry, self._elapsed)
        root = self._roots[entry[0]] if entry else node.base
        for vertex in node.vertices:
            self._roots[vertex] = root
        self._queue += node.vertices

    def _make_inner(self, node: Node, entry: Edge) -> None:
        self._label(node, INNER, entry, -self._elapsed)
        for vertex in node.vertices:
            self._roots[vertex] = self._roots[entry[0]]

    def _label(self, node: Node, label: int, entry: Edge | None, shift: int) -> None:
        node.label, node.entry = label, entry
        node.dual -= 2 * shift
        self._labelled.append(node)
        for vertex in node.vertices:
            self._labels[vertex] = label
            self._y[vertex] += shift
            self._times[vertex] = NEVER

    def _unlabel(self, node: Node) -> None:
        """Turn the stored duals of a node into the real ones."""
        shift = self._elapsed if node.label == OUTER else -self._elapsed
        node.label = FREE
        node.dual += 2 * shift
        for vertex in node.vertices:
            self._labels[vertex] = FREE
            self._y[vertex] -= shift

    def _shrink(self, u: int, v: int) -> None:
        """Make a blossom of the cycle that an edge between two outer nodes closes."""
        above_u, above_v = self._ancestors(self._tops[u]), self._ancestors(self._tops[v])
        while len(above_u) > 1 and len(above_v) > 1 and above_u[-2] is above_v[-2]:
            above_u.pop()
            above_v.pop()
        common = above_u.pop()
        above_v.pop()
        entry = common.entry
        down = [node.entry for node in reversed(above_u)]
        up = [node.entry[::-1] for node in above_v if node.entry]
        children = [common, *reversed(above_u), *above_v]
        was_inner = [vertex for child in children if child.label == INNER for vertex in child.vertices]
        for child in children:
            self._unlabel(child)
        self._labelled = [node for node in self._labelled if node.label != FREE]
        blossom = Node.join(children, [*(edge for edge in down if edge), (u, v), *up])
        self._label(blossom, OUTER, entry, self._elapsed)
        for vertex in blossom.vertices:
            self._tops[vertex] = blossom
        self._queue += was_inner

    def _ancestors(self, node: Node) -> list[Node]:
        """Return the nodes from this one to the root."""
        nodes = [node]
        while nodes[-1].entry:
            nodes.append(self._tops[nodes[-1].entry[0]])
        return nodes

    def _expand(self, blossom: Node) -> None:
        """Replace an inner blossom with z = 0 by its children: a path of them stays in the tree."""
        entry = blossom.entry
        assert entry is not None
        self._unlabel(blossom)
        self._labelled.remove(blossom)
        self._free_children(blossom)
        path = blossom.path_to_base(entry[1])
        self._make_inner(self._tops[entry[1]], entry)
        for index, edge in enumerate(path):
            if index % 2 == 0:
                self._make_outer(self._tops[edge[1]], edge)
            else:
                self._make_inner(self._tops[edge[1]], edge)
        for child in blossom.children:
            if child.label == FREE:
                for vertex in child.vertices:
                    self._scan_free(vertex)

    def _augment(self, u: int, v: int) -> None:
        """Match two outer vertices of different trees, and both trees along their paths to the roots."""
        for outer, other in ((u, v), (v, u)):
            self._set_mate(outer, other)
            entry = self._tops[outer].entry
            while entry:
                inner_entry = self._tops[entry[0]].entry
                assert inner_entry is not None
                above, inner = inner_entry
                self._set_mate(inner, above)
                self._set_mate(above, inner)
                entry = self._tops[above].entry

    def _set_mate(self, vertex: int, mate: int) -> None:
        rebase(self._tops[vertex], vertex, self.mates)
        self.mates[vertex] = mate

    def _end_search(self) -> None:
        for node in self._labelled:
            self._unlabel(node)
            node.entry = None
        pending = [node for node in self._labelled if node.children and not node.dual]
        while pending:
            blossom = pending.pop()
            self._dissolve(blossom)
            pending += [child for child in blossom.children if child.children and not child.dual]


def starting_duals(weights: Weights) -> list[int]:
    """Return duals without negative slack, and none at all where weights are the sum of what two vertices are worth."""
    best = [max((weight for weight in row if weight is not None), default=0) for row in weights]
    half = max(best, default=0) // 2
    duals = [each - half for each in best]
    for vertex, row in enumerate(weights):
        least = max((weight - duals[v] for v, weight in enumerate(row) if weight is not None), default=0)
        duals[vertex] = max(duals[vertex], least)
    return duals
