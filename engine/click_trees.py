"""The clicks that enter moves, as a prefix tree.

A row is the clicks of a move as indices of `Geometry.click_names`, with at least one `NO_CLICK` behind them.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from .game import NO_CLICK

MoveTree = Mapping[str, "MoveTree | None"]
"""Legal moves as a prefix tree of clicks; None where a move is complete."""

T = TypeVar("T")


def click_tree(names: Sequence[str], rows: Iterable[Sequence[int]]) -> MoveTree:
    """Return the prefix tree of the clicks of some moves."""
    root: dict[str, Any] = {}
    for first, *others in rows:
        branch, name = root, names[first]
        for click in others:
            if click == NO_CLICK:
                break
            branch = branch.setdefault(name, {})
            name = names[click]
        branch[name] = None
    return root


def shared_by_beginning(
    names: Sequence[str], rows: Sequence[Sequence[int]], values: Sequence[tuple[T, ...]]
) -> dict[tuple[str, ...], tuple[T, ...]]:
    """Return the value that all moves with the same clicks but the last share, by these; those without are left out."""
    found: dict[tuple[int, ...], tuple[T, ...]] = {}
    for row, value in zip(rows, values, strict=True):
        if row[1] != NO_CLICK:
            begun = tuple(row[: row.index(NO_CLICK) - 1])
            if found.setdefault(begun, value) != value:
                found[begun] = ()
    return {tuple(map(names.__getitem__, begun)): value for begun, value in found.items() if value}
