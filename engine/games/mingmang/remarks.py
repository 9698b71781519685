"""Explanations of the moves of Ming Mang for newcomers. Numbers in brackets are paragraphs of its rules."""

from ...game import Board, Remark, RemarkTexts, Words
from .kernels import PASS

LAST_FILE, LAST_RANK = 7, 7

REMARKS = {
    "captured_one": RemarkTexts(
        "You captured a man of {next}: it stood in line between two men of yours, so it changed colour.",
        "{mover} captured a man of yours: it stood in line between two opposing men, so it changed colour.",
    ),
    "captured": RemarkTexts(
        "You captured {count} men of {next}: they stood in line between men of yours, so they changed colour.",
        "{mover} captured {count} of your men: they stood in line between opposing men, so they changed colour.",
    ),
    "in_between": RemarkTexts(
        "Your man moved in between two opposing men. That is safe: only the side that moves captures.",
        "{mover} moved in between two of your men. That is safe: only the side that moves captures.",
    ),
    "passed": RemarkTexts(
        "You passed. If {next} passes too, the match ends and territory is counted.",
        "{mover} passed. If you pass too, the match ends and territory is counted: the squares that only one side "
        "can reach.",
    ),
}


def count_captured(before: Words, after: Words) -> int:
    """Return how many men a move captured (2.3)."""
    return int(before[1]).bit_count() - int(after[0]).bit_count()


def explain(_board: Board, before: Words, move: int, after: Words) -> tuple[Remark, ...]:
    """Return the remarks about a move: what it captured, a safe move in between (2.3), or a pass (2.5)."""
    if move == PASS:
        return (Remark("passed"),)
    count = count_captured(before, after)
    if count > 0:
        return (Remark("captured_one"),) if count == 1 else (Remark("captured", {"count": count}),)
    return (Remark("in_between"),) if _is_in_between(int(after[0]), move >> 6) else ()


def describe_turn(_board: Board, _words: Words) -> tuple[Remark, ...]:
    """Return nothing: what a turn allows never changes."""
    return ()


def _is_in_between(opponents: int, square: int) -> bool:
    """Return whether opposing men stand on both sides of a square, along its row or its column."""
    file, rank = square % 8, square // 8
    row = 0 < file < LAST_FILE and opponents >> square - 1 & 1 and opponents >> square + 1 & 1
    column = 0 < rank < LAST_RANK and opponents >> square - 8 & 1 and opponents >> square + 8 & 1
    return bool(row or column)
