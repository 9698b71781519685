"""Explanations of the moves of Nine Men's Morris for newcomers. Numbers in brackets are paragraphs of its rules."""

from ...game import Board, Remark, RemarkTexts, Words
from .kernels import HAND, NOTHING
from .position import MEN

FLYING_MEN = 3

REMARKS = {
    "mill": RemarkTexts(
        "You closed a mill and took one of {next}'s men.",
        "{mover} closed a mill, three men in a row, and took one of your men.",
    ),
    "all_placed": RemarkTexts(
        "All men are placed. From now on, each turn moves a man along a line to the next empty point.",
        "All men are placed. From now on, move one of your men along a line to the next empty point.",
    ),
    "flies": RemarkTexts(
        "{next} has three men left. They may now fly to any empty point.",
        "You have three men left. They may now fly to any empty point.",
    ),
    "first_turn": RemarkTexts(
        "", "Place a man on any empty point. Three of your men in a row along a line are a mill, which takes a man."
    ),
}

TAKING = "You closed a mill: take one of {next}'s men."


def explain(board: Board, _before: Words, move: int, after: Words) -> tuple[Remark, ...]:
    """Return the remarks about a move: a mill (1.5), the last placing (1.3), and the start of flying (1.4)."""
    origin, taken = move & 31, move >> 10
    remarks = []
    if taken != NOTHING:
        remarks.append(Remark("mill"))
    mover_after, hands = int(after[0]), int(after[2])
    if origin == HAND and hands == 0:
        remarks.append(Remark("all_placed"))
    starts_flying = taken != NOTHING or (origin == HAND and hands == 0)
    if starts_flying and hands == 0 and mover_after.bit_count() == FLYING_MEN and int(board.options[0]):
        remarks.append(Remark("flies"))
    return tuple(remarks)


def describe_turn(_board: Board, words: Words) -> tuple[Remark, ...]:
    """Return the remark for a seat that has not placed a man yet (1.2)."""
    hand = int(words[2]) & 15
    return (Remark("first_turn"),) if hand == MEN else ()
