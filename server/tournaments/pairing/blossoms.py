"""The nodes of the trees that a search for a matching grows: vertices, and blossoms, which are odd cycles of nodes."""

from collections.abc import MutableSequence, Sequence

FREE, OUTER, INNER = 0, 1, 2
"""The labels of nodes: not in the tree, or an even or odd number of edges from its root."""

Edge = tuple[int, int]
"""Two vertices; where an edge leads from a node to another, the first vertex is in the first node."""


class Node:
    """A vertex, or a blossom: an odd cycle of nodes joined by edges, which all but one are matched along."""

    __slots__ = ("base", "children", "dual", "entry", "label", "links", "parent", "vertices")

    def __init__(self, base: int):
        self.base = base
        """The vertex that is not matched inside the node."""
        self.vertices = [base]
        self.children: list[Node] = []
        """The cycle, beginning with the child that contains the base; empty for a vertex."""
        self.links: list[Edge] = []
        """The edge from each child to the next; the second, fourth, ... are matched."""
        self.parent: Node | None = None
        self.dual = 0
        self.label = FREE
        self.entry: Edge | None = None
        """The edge from the node's parent in the tree; None at the root."""

    @classmethod
    def join(cls, children: list["Node"], links: list[Edge]) -> "Node":
        """Return the blossom of a cycle of nodes."""
        blossom = cls(children[0].base)
        blossom.vertices = [vertex for child in children for vertex in child.vertices]
        blossom.children, blossom.links = children, links
        for child in children:
            child.parent = blossom
        return blossom

    def position(self, vertex: int) -> int:
        """Return the index of the child that contains a vertex."""
        return next(index for index, child in enumerate(self.children) if vertex in child.vertices)

    def path_to_base(self, vertex: int) -> Sequence[Edge]:
        """Return the edges from the child with a vertex to the child with the base, the way that begins matched."""
        start = self.position(vertex)
        if start % 2:
            return self.links[start:]
        return [(second, first) for first, second in reversed(self.links[:start])]


def rebase(node: Node, vertex: int, mates: MutableSequence[int | None]) -> None:
    """Match a node inside so that the given vertex is its base; `mates` is changed, except for the base.

    The children between the new base and the old one, on the way with an even number of edges, change partners.
    """
    if not node.children:
        return
    start, count = node.position(vertex), len(node.children)
    rebase(node.children[start], vertex, mates)
    for index in range(start + 1, count, 2) if start % 2 else range(0, start, 2):
        first, second = node.links[index]
        rebase(node.children[index], first, mates)
        rebase(node.children[(index + 1) % count], second, mates)
        mates[first], mates[second] = second, first
    node.children = node.children[start:] + node.children[:start]
    node.links = node.links[start:] + node.links[:start]
    node.base = vertex
