"""The puzzle tasks and themes of Battle Sheep. Numbers in brackets are paragraphs of its rules."""

from collections.abc import Iterator, Mapping, Sequence

from ...bits import NO_CELLS, Bitboard, cell_bit, kernel, lowest_cell
from ...game import Board, Miss, PuzzleTask, PuzzleTerms, SolutionMove, Words
from .kernels import PASS
from .pasture import ALL_CELLS, FACTS, NEIGHBOURS, BattleSheepBoard
from .position import ONE, BattleSheepPosition, count_movable_sheep, divisible_stacks, occupied_cells

TASKS = (
    PuzzleTask("win", 9, 0, 0, most_empties=9),
    PuzzleTask("win", 7, 0, 0, most_empties=7),
    PuzzleTask("sheep", 2, 3, 12),
    PuzzleTask("sheep", 2, 0, 0),
)

MOVABLE = "Movable are all sheep but one of each stack beside an empty cell."

TEXTS = {
    "sheep": (
        f"Lose no more movable sheep than your opponent, whatever they answer. {MOVABLE}",
        f"Make your opponent lose at least one movable sheep more than you, whatever they answer. {MOVABLE}",
        f"Make your opponent lose at least {{gain}} movable sheep more than you, whatever they answer. {MOVABLE}",
    )
}

THEMES = {
    "cut_off": "Cut off",
    "escape": "Escape",
    "endgame": "Endgame",
}

MISSES = {
    "movable": "After {reply}, you have lost {own} movable sheep and your opponent {theirs}.",
    "cut_off": "{reply} leaves {lost} of your sheep without a move, and you can no longer win in time.",
}


@kernel
def open_stacks(board: BattleSheepBoard, stacks: Bitboard, empties: Bitboard) -> Bitboard:
    """Return the stacks that have an empty neighbouring cell."""
    found = NO_CELLS
    while stacks != NO_CELLS:
        cell = lowest_cell(stacks)
        stacks &= stacks - ONE
        if board.tables[NEIGHBOURS, cell] & empties != NO_CELLS:
            found |= cell_bit(cell)
    return found


@kernel
def sheep_lead(board: BattleSheepBoard, position: BattleSheepPosition) -> int:
    """Return how many more sheep that can still leave their stacks the mover has than the second seat."""
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    stacks = divisible_stacks(position)
    mover = open_stacks(board, position.mover & stacks, empties)
    second = open_stacks(board, position.second & stacks, empties)
    return count_movable_sheep(position, mover) - count_movable_sheep(position, second)


def classify(board: Board, measure: str, moves: Sequence[SolutionMove]) -> tuple[str, ...]:
    """Return the themes of a solution."""
    first = moves[0]
    themes = []
    before, after = first.before, first.after
    # The opponent is second before the move, and to move after it.
    if any(_exits(board, before, cell) and not _exits(board, after, cell) for cell in _large_stacks(before, seat=1)):
        themes.append("cut_off")
    if first.move != PASS and _exits(board, before, first.move & 63) == 1:
        themes.append("escape")
    if measure == "win":
        themes.append("endgame")
    return tuple(themes)


def explain_miss(miss: Miss) -> tuple[str, Mapping[str, int]]:
    """Return why a move is wrong: how many movable sheep each side has lost."""
    before, after, end = (
        (_movable(miss.board, words, 0), _movable(miss.board, words, 1))
        for words in (miss.start, miss.answer.before, miss.answer.after)
    )
    if miss.measure != "win":
        return "movable", {"own": before[0] - end[0], "theirs": before[1] - end[1]}
    lost = after[1] - end[0]
    return ("cut_off", {"lost": lost}) if lost > 0 else ("", {})


def _movable(board: Board, words: Words, seat: int) -> int:
    """Return how many sheep of a seat can still leave their stacks; the seats count from the mover."""
    open_cells = (cell for cell in _large_stacks(words, seat) if _exits(board, words, cell))
    return sum((int(words[4 + bit]) >> cell & 1) << bit for cell in open_cells for bit in range(4))


def _large_stacks(words: Words, seat: int) -> Iterator[int]:
    """Yield the cells of a seat's stacks of two or more sheep; the seats count from the mover."""
    sizes = int(words[4]) | int(words[5]) | int(words[6]) | int(words[7])
    stacks = int(words[seat]) & sizes
    while stacks:
        lowest = stacks & -stacks
        yield lowest.bit_length() - 1
        stacks ^= lowest


def _exits(board: Board, words: Words, cell: int) -> int:
    """Return the number of empty neighbours of a cell."""
    occupied = int(words[0]) | int(words[1]) | int(words[2]) | int(words[3])
    neighbours = int(board.tables[NEIGHBOURS, cell]) & int(board.tables[FACTS, ALL_CELLS])
    return (neighbours & ~occupied).bit_count()


PUZZLES = PuzzleTerms(
    measures={"sheep": sheep_lead},
    tasks=TASKS,
    texts=TEXTS,
    themes=THEMES,
    classify=classify,
    misses=MISSES,
    explain_miss=explain_miss,
)
