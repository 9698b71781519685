"""The named openings: by the kind of point taken first, and by how the four-way points are shared.

The terms are those of J. S. Mamoun, *Nine Men's Morris Book of Board Game Strategy* (2020).
"""

from ...game import NamedOpening

OPENINGS = (
    NamedOpening("Four-way point", ("d6",)),
    NamedOpening("Three-way point", ("d7",)),
    NamedOpening("Corner", ("a7",)),
    NamedOpening("Middle corner", ("b6",)),
    NamedOpening("Four-way point: adjacent reply", ("d6", "f4")),
    NamedOpening("Four-way point: opposite reply", ("d6", "d2")),
    NamedOpening("Double four-way points, adjacent", ("d6", "d2", "f4", "b4")),
    NamedOpening("Double four-way points, opposite", ("d6", "f4", "d2", "b4")),
)
