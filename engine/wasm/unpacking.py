"""Large tables that a module makes itself, instead of carrying them: the weights of patterns.

Nine Men's Morris has a table of 210 kB, of which a module carries the 25 kB that symmetry leaves.
"""

from collections.abc import Callable

import numpy as np

from ..bits import kernel
from ..game import Game
from ..game.pattern_shapes import expand_patterns, pack_shapes
from ..weights import pattern_table_of, shipped_weights
from .arrays import UNPACKED_AT, Views
from .views import Layout, rows_of


def unpacked_table(game: Game) -> bytes:
    """Return the table that `unpack` writes; empty for a game without patterns."""
    terms = game.strength.evaluation
    weights = None if terms is None else shipped_weights(terms)
    if terms is None or terms.patterns is None or weights is None or not (weights.patterns and terms.patterns.shapes):
        return b""
    return pattern_table_of(terms.patterns, weights).tobytes()


def make_unpacking(game: Game, layout: Layout, views: Views) -> dict[str, Callable[..., int]]:
    """Return the function that writes the table to the address in the field `UNPACKED_AT`, if the game has one."""
    terms = game.strength.evaluation
    if terms is None or terms.patterns is None or not unpacked_table(game):
        return {}
    weights = np.array(shipped_weights(terms).patterns, dtype=np.int16)
    columns, fields = len(terms.patterns.kinds), views.fields
    kinds = layout.add("kinds", "int32", max(3**shape.cells for shape in terms.patterns.shapes))
    phases, table_at = len(weights), rows_of("int16", columns)
    sizes, symmetries = pack_shapes(terms.patterns.shapes)

    @kernel
    def unpack() -> int:
        """Write the table to the address that the module's description gives."""
        expand_patterns(sizes, symmetries, weights, table_at(fields()[UNPACKED_AT], phases), kinds())
        return 0

    return {"unpack": unpack}
