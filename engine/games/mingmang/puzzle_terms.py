"""The puzzle tasks and themes of Ming Mang. Numbers in brackets are paragraphs of its rules."""

from collections.abc import Mapping, Sequence

from ...bits import count_cells, kernel
from ...game import Board, Miss, PuzzleTask, PuzzleTerms, SolutionMove, Words
from .kernels import PASS
from .position import MingMangBoard, MingMangPosition
from .remarks import count_captured
from .squares import NOT_A_FILE, NOT_H_FILE, flood

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
        "Lose no more men than you capture, whatever your opponent answers.",
        "Capture at least one man more than you lose, {moves} and whatever your opponent answers.",
        "Capture at least {gain} men more than you lose, {moves} and whatever your opponent answers.",
    ),
    "territory": (
        "Keep the balance of territory, your squares less your opponent's, whatever they answer.",
        "Shift the balance of territory, your squares less your opponent's, by at least one in your favour, "
        "whatever they answer.",
        "Shift the balance of territory, your squares less your opponent's, by at least {gain} in your favour, "
        "whatever they answer.",
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
ALL_SQUARES = (1 << 64) - 1

MISSES = {
    "captured_one": "{reply} captures one of your men.",
    "captured": "{reply} captures {lost} of your men.",
    "recaptured": "You capture {taken}, but {reply} captures {lost} of your men.",
    "missed_capture": "You could have captured. After {reply}, you have captured no man.",
    "favour": "After {reply}, the balance of territory has shifted by {change} in your favour, not by {gain}.",
    "against": "After {reply}, the balance of territory has shifted by {change} against you.",
}


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


def explain_miss(miss: Miss) -> tuple[str, Mapping[str, int]]:
    """Return why a move is wrong: men or squares that it costs, or a capture that was missed."""
    if miss.measure == "territory":
        change = _balance(miss.answer.after) - _balance(miss.start)
        return ("favour" if change >= 0 else "against"), {"change": abs(change), "gain": miss.gain}
    taken = count_captured(miss.own.before, miss.own.after)
    lost = count_captured(miss.answer.before, miss.answer.after)
    if lost > 0:
        code = "recaptured" if taken > 0 else "captured_one" if lost == 1 else "captured"
        return code, {"taken": taken, "lost": lost}
    return ("missed_capture" if taken == 0 and miss.measure == "men" and miss.gain > 0 else ""), {}


def _balance(words: Words) -> int:
    """Return the mover's squares less the opponent's (2.7)."""
    own, other = int(words[0]), int(words[1])
    return _reached(own, other).bit_count() - _reached(other, own).bit_count()


def _reached(own: int, other: int) -> int:
    """Return the squares that men stand on or reach, as bits."""
    reached, grown = 0, own
    while grown != reached:
        reached = grown
        aside = (reached & int(NOT_H_FILE)) << 1 | (reached & int(NOT_A_FILE)) >> 1
        grown |= (reached << 8 | reached >> 8 | aside) & ~(own | other) & ALL_SQUARES
    return reached


PUZZLES = PuzzleTerms(
    measures={"men": men_lead, "territory": territory_lead},
    tasks=TASKS,
    texts=TEXTS,
    themes=THEMES,
    classify=classify,
    misses=MISSES,
    explain_miss=explain_miss,
)
