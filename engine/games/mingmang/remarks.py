"""Explanations of the moves of Ming Mang for newcomers. Numbers in brackets are paragraphs of its rules."""

from ...game import Board, Remark, RemarkTexts, Words
from .kernels import PASS
from .squares import NORTH_OF_A1, SOUTH_OF_H8

LAST_FILE, LAST_RANK = 7, 7
STARTING_MEN = (int(SOUTH_OF_H8) | 0xFF, int(NORTH_OF_A1) | 0xFF << 56)
"""Black's men at the standard start, and White's (2.1)."""

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
    "first_turn": RemarkTexts(
        "",
        "Move one of your men along its row or column, over any number of empty squares. Opposing men in line between "
        "it and another of your men change to your colour.",
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


def describe_turn(_board: Board, words: Words) -> tuple[Remark, ...]:
    """Return the remark for a side whose men all stand where they started (2.2)."""
    return (Remark("first_turn"),) if int(words[0]) in STARTING_MEN else ()


def _is_in_between(opponents: int, square: int) -> bool:
    """Return whether opposing men stand on both sides of a square, along its row or its column."""
    file, rank = square % 8, square // 8
    row = 0 < file < LAST_FILE and opponents >> square - 1 & 1 and opponents >> square + 1 & 1
    column = 0 < rank < LAST_RANK and opponents >> square - 8 & 1 and opponents >> square + 8 & 1
    return bool(row or column)
