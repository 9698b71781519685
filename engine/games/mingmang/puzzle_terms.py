"""The puzzle tasks and themes of Ming Mang. Numbers in brackets are paragraphs of its rules."""

from collections.abc import Sequence

from ...bits import count_cells, kernel
from ...game import Board, PuzzleTask, PuzzleTerms, SolutionMove
from .kernels import PASS
from .position import MingMangBoard, MingMangPosition
from .remarks import count_captured
from .squares import flood

TASKS = (
    PuzzleTask("win", 1, 0, 0),
    PuzzleTask("win", 3, 0, 0),
    PuzzleTask("men", 4, 3, 12),
    PuzzleTask("territory", 2, 4, 40),
    PuzzleTask("men", 2, 1, 9),
    PuzzleTask("men", 2, 0, 0),
)

TEXTS = {
    "men": (
        "Keep all your men, whatever your opponent plays.",
        "Gain a man {moves}, whatever your opponent plays.",
        "Gain {gain} men {moves}, whatever your opponent plays.",
    ),
    "territory": (
        "Lose no territory, whatever your opponent plays.",
        "Gain a square of territory {moves}, whatever your opponent plays.",
        "Gain {gain} squares of territory {moves}, whatever your opponent plays.",
    ),
}

THEMES = {
    "capture": "Capture",
    "capture_chain": "Capture chain",
    "wall": "Wall",
    "rescue": "Rescue",
    "last_man": "The last man",
}
CHAIN_MEN = 3


@kernel
def men_lead(_board: MingMangBoard, position: MingMangPosition) -> int:
    """Return how many more men the mover has captured than the opponent, if both started with as many."""
    return (count_cells(position.mover) - count_cells(position.opponent)) // 2


@kernel
def territory_lead(_board: MingMangBoard, position: MingMangPosition) -> int:
    """Return how much more territory the mover has than the opponent (2.7)."""
    empties = ~(position.mover | position.opponent)
    return count_cells(flood(position.mover, empties)) - count_cells(flood(position.opponent, empties))


def classify(_board: Board, measure: str, moves: Sequence[SolutionMove]) -> tuple[str, ...]:
    """Return the themes of a solution."""
    captured = [count_captured(each.before, each.after) for each in moves[::2]]
    themes = []
    if sum(count > 0 for count in captured) >= 2 or max(captured) >= CHAIN_MEN:
        themes.append("capture_chain")
    elif captured[0] > 0:
        themes.append("capture")
    if measure == "territory" and moves[0].move != PASS:
        themes.append("wall")
    if measure == "men" and captured[0] == 0:
        themes.append("rescue")
    if measure == "win":
        themes.append("last_man")
    return tuple(themes)


PUZZLES = PuzzleTerms(
    measures={"men": men_lead, "territory": territory_lead},
    tasks=TASKS,
    texts=TEXTS,
    themes=THEMES,
    classify=classify,
)
