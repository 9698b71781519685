"""`MultiPV`: the best few moves of a state, deepened together. See chessprogramming.org/Multi-PV."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from ..search import MAX_DEPTH, Analysis, Limits
from ..state import State
from ..tablebase.verdicts import best_known
from .info_lines import SearchReport

Search: TypeAlias = Callable[[Limits, tuple[int, ...]], Analysis]
"""Searches a state within limits; only the given moves."""


def deepen_variations(
    state: State,
    moves: tuple[int, ...],
    wanted: int,
    limits: Limits,
    search: Search,
    report: SearchReport,
    results: Mapping[int, int],
) -> Analysis:
    """Search for the best moves among `moves`, deeper each time, until a limit is reached; return the best.

    After each depth, the lines are reported, best first; by their known `results`, if there are any, and then by value.
    """
    best = search(replace(limits, depth=1), best_known(moves, results))
    nodes = best.nodes
    deepest, step = min(limits.depth or MAX_DEPTH, MAX_DEPTH), limits.depth_step
    for depth in [*range(step, deepest, step), deepest]:
        found: list[tuple[int, Analysis]] = []
        left = list(moves)
        for _ in range(min(wanted, len(moves))):
            rest = replace(
                limits,
                depth=depth,
                nodes=None if limits.nodes is None else max(limits.nodes - nodes, 1),
                movetime_ms=None if limits.movetime_ms is None else max(limits.movetime_ms - report.elapsed_ms, 0.0),
                soft_ms=None if limits.soft_ms is None else max(limits.soft_ms - report.elapsed_ms, 0.0),
            )
            line = search(rest, best_known(left, results))
            nodes += line.nodes
            if line.best_move is None or (line.depth < depth and depth > step):
                return best
            move = state.parse_move(line.best_move)
            found.append((move, line))
            left.remove(move)
        found.sort(key=lambda each: (-results.get(each[0], 0), -each[1].value))
        best = found[0][1]
        for rank, (_move, line) in enumerate(found, 1):
            report.write_variation(line, rank)
        if _is_spent(limits, nodes, report.elapsed_ms):
            break
    return best


def _is_spent(limits: Limits, nodes: int, elapsed_ms: float) -> bool:
    times = [each for each in (limits.movetime_ms, limits.soft_ms) if each is not None]
    return (limits.nodes is not None and nodes >= limits.nodes) or any(elapsed_ms >= each for each in times)
