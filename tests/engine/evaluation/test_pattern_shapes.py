"""The browser makes the table of patterns from the weights of kinds as this process makes it with NumPy."""

import numpy as np

from millrace.engine.game.pattern_shapes import expand_patterns, pack_shapes
from millrace.engine.games import find_game
from millrace.engine.weights import evaluation_terms_of, pattern_table_of, shipped_weights


def test_the_kernel_makes_the_same_table() -> None:
    terms = evaluation_terms_of(find_game("morris"))
    assert terms.patterns is not None
    weights = shipped_weights(terms)
    expected = pattern_table_of(terms.patterns, weights)
    table = np.full_like(expected, 99)
    longest = max(3**shape.cells for shape in terms.patterns.shapes)
    sizes, symmetries = pack_shapes(terms.patterns.shapes)
    kinds = np.zeros(longest, dtype=np.int32)
    expand_patterns(sizes, symmetries, np.array(weights.patterns, dtype=np.int16), table, kinds)
    np.testing.assert_array_equal(table, expected)
