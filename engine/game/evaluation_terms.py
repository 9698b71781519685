"""The terms of a game's static evaluation, for games whose weights are data.

The weights themselves are `engine.weights`; `engine.tuning` fits them.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from .kernels import Board, Position

if TYPE_CHECKING:
    from .game import Game

WeightTable: TypeAlias = NDArray[np.int64]
"""Weights by row and term, in hundredths of a man. `EvaluationTerms.shares` defines the rows."""

PatternTable: TypeAlias = NDArray[np.int16]
"""The weight of each pattern column, in hundredths of a man: shape `(phases, columns)`."""


class Shape(NamedTuple):
    """The cells of a pattern. A way to fill them is a number in base 3, with a digit for each cell: 0 empty, 1 the
    mover's, 2 the opponent's."""

    cells: int
    symmetries: NDArray[np.int64]
    """The ways to map the shape onto itself, each as where the digit of each cell comes from: shape
    `(symmetries, cells)`."""


@dataclass(frozen=True, slots=True, eq=False)
class Patterns:
    """Groups of cells evaluated together: each way to fill such a group has its own weight.

    See Buro, From simple features to sophisticated evaluation functions, 1999. A *site* is a place of a pattern on the
    board. A *column* is a way to fill the pattern at a site. Columns that are equal by symmetry share a *kind*, and the
    kind has the weight.
    """

    phases: tuple[str, ...]
    """The phases of a match that have separate weights."""
    kinds: NDArray[np.int32]
    """The kind of each column."""
    signs: NDArray[np.int8]
    """The factor of each column's weight: -1 where the sides are swapped, 0 where swapping them changes nothing."""
    columns_of: Callable[[Board, Position], tuple[int, ...]]
    """A kernel: return the column of each site, from the mover's view."""
    phase_of: Callable[[Board, Position], int]
    """A kernel: return the phase of a position."""
    shapes: tuple[Shape, ...] = ()
    """The shapes whose columns follow each other; kinds and signs follow from them (`engine.game.pattern_shapes`).
    Empty for patterns that do not follow from shapes; the browser is then sent the weight of every column."""


@dataclass(frozen=True, slots=True, eq=False)
class EvaluationTerms:
    """The terms that `Kernels.evaluate` adds up. Each has a weight in each phase."""

    package: str
    """The package that contains the shipped weights (`engine.weights`)."""
    terms: tuple[str, ...]
    """The names of the terms, in the order of a table's columns."""
    phases: tuple[str, ...]
    """The phases of a match that have separate weights."""
    shares: NDArray[np.float64]
    """How much of each phase each row of a weight table contains: shape `(rows, phases)`."""
    weigh: Callable[[Board, Position, int, WeightTable], int]
    """A kernel: return the weighted sum of the terms for the seat `turn` plies after the mover (0: the mover). It is
    linear in the table, except at the bounds that the rules set; `engine.tuning` depends on that."""
    patterns: Patterns | None = None
    """What is added to the terms for the mover, in a game for two."""
    remember: "Callable[[Game], Game] | None" = None
    """Return the game with positions that remember, in transient words, what the terms need to know about the last ply.
    None: they need nothing.
    """
