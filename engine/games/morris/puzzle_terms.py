"""The puzzle tasks and themes of Nine Men's Morris. Numbers in brackets are paragraphs of its rules."""

from collections.abc import Mapping, Sequence

from ...bits import count_cells, kernel
from ...game import Board, Miss, PuzzleTask, PuzzleTerms, SolutionMove, Words
from .kernels import HAND, NOTHING
from .notation import geometry
from .position import MorrisBoard, MorrisPosition, hand_of_mover, hand_of_opponent

TASKS = (
    PuzzleTask("win", 1, 0, 0),
    PuzzleTask("win", 3, 0, 0),
    PuzzleTask("win", 5, 0, 0, least_empties=17),
    PuzzleTask("men", 4, 2, 3),
    PuzzleTask("men", 2, 1, 1),
    PuzzleTask("men", 2, 0, 0),
    PuzzleTask("men", 4, 1, 1),
)

TEXTS = {
    "men": (
        "Lose no more men than you take, whatever your opponent answers.",
        "Take at least one man more than you lose, {moves} and whatever your opponent answers.",
        "Take at least {gain} men more than you lose, {moves} and whatever your opponent answers.",
    )
}

THEMES = {
    "close_mill": "Close a mill",
    "double_mill": "Double mill",
    "block": "Block",
    "fly": "Fly",
    "trap": "Trap",
    "last_men": "The last men",
    "fork": "Two threats",
}

MISSES = {
    "double_mill": "{reply} opens one mill and closes another: this double mill takes a man turn after turn.",
    "mill": "{reply} closes a mill and takes one of your men.",
    "missed_mill": "You could have closed a mill. After {reply}, you have taken no man.",
    "stopped": "{reply} stops the mill that you could have closed next.",
}

_SIDES = [
    (8 * ring + corner, 8 * ring + corner + 1, 8 * ring + (corner + 2) % 8)
    for ring in range(3)
    for corner in (0, 2, 4, 6)
]
_SPOKES = [(middle, middle + 8, middle + 16) for middle in (1, 3, 5, 7)]
FLYING_MEN = 3
MILLS = (*_SIDES, *_SPOKES)
"""The points of each of the sixteen mills (1.5)."""


@kernel
def men_lead(_board: MorrisBoard, position: MorrisPosition) -> int:
    """Return how many more men the mover has than the opponent, including those in hand."""
    mover = count_cells(position.mover) + hand_of_mover(position)
    return mover - count_cells(position.opponent) - hand_of_opponent(position)


def classify(board: Board, measure: str, moves: Sequence[SolutionMove]) -> tuple[str, ...]:
    """Return the themes of a solution."""
    own = moves[::2]
    first = own[0]
    themes = []
    if _takes(first.move):
        themes.append("close_mill")
    if sum(_takes(each.move) for each in own) > 1 or any(_leaves_mill_for_mill(each) for each in own):
        themes.append("double_mill")
    if not _takes(first.move) and _closes(first.before, _target(first.move), side=1):
        themes.append("block")
    if any(_is_flight(board, each.move) for each in own):
        themes.append("fly")
    if measure == "win" and _is_blocked(board, own[-1].after):
        themes.append("trap")
    elif measure == "win":
        themes.append("last_men")
    if not _takes(first.move) and len(own) > 1 and _takes(own[1].move):
        themes.append("fork")
    return tuple(themes)


def explain_miss(miss: Miss) -> tuple[str, Mapping[str, int]]:
    """Return why a move is wrong: a mill of the opponent, a mill that was not closed, or one that was stopped."""
    if _takes(miss.answer.move):
        return ("double_mill" if _leaves_mill_for_mill(miss.answer) else "mill"), {}
    if _takes(miss.right) and not _takes(miss.own.move):
        return "missed_mill", {}
    if _closes(miss.own.after, _target(miss.answer.move), side=1):
        return "stopped", {}
    return "", {}


def _leaves_mill_for_mill(played: SolutionMove) -> bool:
    """Return whether a man opens a mill and closes another with one move."""
    origin, men = played.move & 31, int(played.before[0])
    stood_in_mill = any(origin in mill and all(men >> each & 1 for each in mill) for mill in MILLS)
    return _takes(played.move) and stood_in_mill


def _is_blocked(board: Board, words: Words) -> bool:
    """Return whether no man of the mover has an empty neighbour, and none flies (1.4, 1.7)."""
    men, occupied = int(words[0]), int(words[0]) | int(words[1])
    flies = men.bit_count() == FLYING_MEN and int(board.options[0])
    steps = [step for line in geometry(board).lines for step in (line, line[::-1])]
    return not flies and not any(men >> start & 1 and not occupied >> end & 1 for start, end in steps)


def _takes(move: int) -> bool:
    return move >> 10 != NOTHING


def _target(move: int) -> int:
    return move >> 5 & 31


def _is_flight(board: Board, move: int) -> bool:
    """Return whether a man moves to a point that no line joins to its own (1.4)."""
    origin = move & 31
    step = {origin, _target(move)}
    return origin != HAND and all(step != {*line} for line in geometry(board).lines)


def _closes(words: Words, point: int, side: int) -> bool:
    """Return whether a man on an empty point would complete a mill of the mover (side 0) or the opponent (side 1)."""
    men = int(words[side])
    return any(point in mill and all(each == point or men >> each & 1 for each in mill) for mill in MILLS)


PUZZLES = PuzzleTerms(
    measures={"men": men_lead},
    tasks=TASKS,
    texts=TEXTS,
    themes=THEMES,
    classify=classify,
    misses=MISSES,
    explain_miss=explain_miss,
)
