"""Which ways to fill a pattern are equal: the kinds and signs of `Patterns`, from the shapes of its sites.

A way to fill a shape has the same weight when a symmetry maps it onto another, and the negative weight with the sides
swapped. Kinds are numbered shape by shape, in the order of the least number of a way of each kind.

`patterns_of` works them out for this process, with NumPy. `expand_patterns` is a kernel for the browser, to which only
the weights of kinds are sent, an eighth of the bytes.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bits import kernel
from .evaluation_terms import Patterns, PatternTable, Shape
from .kernels import Board, Position

SWAPPED = np.array([0, 2, 1])
"""Each digit with the sides swapped."""

POWERS = 3 ** np.arange(20)
"""The value of a digit in each place."""

KindScratch: TypeAlias = NDArray[np.int32]
"""Scratch space for `expand_patterns`: as long as the largest shape has ways to be filled."""


def patterns_of(
    phases: tuple[str, ...],
    shapes: tuple[Shape, ...],
    columns_of: Callable[[Board, Position], tuple[int, ...]],
    phase_of: Callable[[Board, Position], int],
) -> Patterns:
    """Return the patterns whose columns are those of these shapes, one after another."""
    kinds, signs, first = list[NDArray[np.int32]](), list[NDArray[np.int8]](), 0
    for shape in shapes:
        own, own_signs = _kinds_of(shape)
        kinds.append(own + np.int32(first))
        signs.append(own_signs)
        first += int(own.max()) + 1
    return Patterns(phases, np.concatenate(kinds), np.concatenate(signs), columns_of, phase_of, shapes)


def _kinds_of(shape: Shape) -> tuple[NDArray[np.int32], NDArray[np.int8]]:
    """Return for each way to fill a shape its kind, from 0 on, and its sign (see `Patterns`)."""
    powers = POWERS[: shape.cells]
    digits = np.arange(3**shape.cells)[:, None] // powers % 3
    swapped = SWAPPED[digits]
    least, least_swapped = (_least(each, shape.symmetries, powers) for each in (digits, swapped))
    _known, kinds = np.unique(np.minimum(least, least_swapped), return_inverse=True)
    return kinds.astype(np.int32), np.sign(least_swapped - least).astype(np.int8)


def _least(digits: NDArray[np.int64], symmetries: NDArray[np.int64], powers: NDArray[np.int64]) -> NDArray[np.int64]:
    least: NDArray[np.int64] = np.min([digits[:, symmetry] @ powers for symmetry in symmetries], axis=0)
    return least


class PackedShapes(NamedTuple):
    """Shapes as arrays, for kernels."""

    sizes: NDArray[np.int64]
    """By shape: its cells, and the number of its symmetries."""
    symmetries: NDArray[np.int64]
    """By shape, symmetry and cell: where the digit comes from."""


def pack_shapes(shapes: tuple[Shape, ...]) -> PackedShapes:
    """Return shapes as arrays."""
    sizes = np.array([(shape.cells, len(shape.symmetries)) for shape in shapes])
    symmetries = np.zeros((len(shapes), sizes[:, 1].max(), sizes[:, 0].max()), dtype=np.int64)
    for index, shape in enumerate(shapes):
        symmetries[index, : len(shape.symmetries), : shape.cells] = shape.symmetries
    return PackedShapes(sizes, symmetries)


@kernel
def expand_patterns(
    sizes: NDArray[np.int64],
    symmetries: NDArray[np.int64],
    weights: NDArray[np.int16],
    table: PatternTable,
    kinds: KindScratch,
) -> None:
    """Write a table of the weight of each column, by phase, from the weights of kinds, by phase."""
    first_column, first_kind = 0, 0
    for shape in range(sizes.shape[0]):
        ways, found = POWERS[sizes[shape, 0]], 0
        for way in range(ways):
            least, least_swapped = ways, ways
            for symmetry in range(sizes[shape, 1]):
                mapped, mapped_swapped = 0, 0
                for cell in range(sizes[shape, 0]):
                    digit = way // POWERS[symmetries[shape, symmetry, cell]] % 3
                    mapped += digit * POWERS[cell]
                    mapped_swapped += (3 - digit) % 3 * POWERS[cell]
                least, least_swapped = min(least, mapped), min(least_swapped, mapped_swapped)
            representative = min(least, least_swapped)
            if representative == way:
                kinds[way] = found
                found += 1
            sign = int(least < least_swapped) - int(least > least_swapped)
            for phase in range(table.shape[0]):
                table[phase, first_column + way] = sign * weights[phase, first_kind + kinds[representative]]
        first_column += ways
        first_kind += found
