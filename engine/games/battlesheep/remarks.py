"""Explanations of the moves of Battle Sheep for newcomers. Numbers in brackets are paragraphs of its rules."""

from ...game import Board, Remark, RemarkTexts, Words
from .kernels import PASS

REMARKS = {
    "placing": RemarkTexts("", "Place your stack of 16 sheep on any of the marked cells of the outer edge."),
    "splitting": RemarkTexts(
        "",
        "Split your stack: choose it, then a cell where some of its sheep can run, then how many go. "
        "At least one stays behind.",
    ),
    "single": RemarkTexts(
        "You left a single sheep behind. It cannot move any more, but it holds its cell.",
        "",
    ),
    "passed": RemarkTexts(
        "You cannot move and are passed over for the rest of the match. The others go on.",
        "{mover} cannot move and is passed over for the rest of the match.",
    ),
}


def explain(_board: Board, _before: Words, move: int, after: Words) -> tuple[Remark, ...]:
    """Return the remarks about a move: a forced pass (3.5), or a single sheep left behind (3.4)."""
    if move == PASS:
        return (Remark("passed"),)
    is_split = move >> 12 > 0
    left_behind = 1 << (move & 63)
    is_single = is_split and not any(int(sizes) & left_behind for sizes in after[4:])
    return (Remark("single"),) if is_single else ()


def describe_turn(_board: Board, words: Words) -> tuple[Remark, ...]:
    """Return the tasks of the first two turns: place the stack (3.3), then split it (3.4)."""
    stacks = int(words[0]).bit_count()
    return (Remark("placing"),) if stacks == 0 else (Remark("splitting"),) if stacks == 1 else ()
