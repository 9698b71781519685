"""Which moves of a puzzle do what its sentence says, by trying every line and counting on the drawn board.

Neither the search of the puzzles nor their measures are used: only the rules, and plain counting.
"""

from collections.abc import Callable

from millrace.engine.state import State

HEX_STEPS = ((0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0))
SQUARE_STEPS = ((0, 1), (1, 0), (0, -1), (-1, 0))

Cells = dict[tuple[int, int], tuple[int, int] | None]
"""By row and column: seat and size of the pile, or None."""


def cells_of(state: State) -> Cells:
    """Return the cells, from their names."""
    piles = zip((each.name for each in state.geometry.cells), state.drawing.piles, strict=True)
    return {(int(name[1:]), ord(name[0])): None if pile is None else (pile[0], pile[1]) for name, pile in piles}


def men_of(state: State, seat: int) -> int:
    """Return a seat's men on the board and in hand."""
    on_board = sum(pile is not None and pile[0] == seat for pile in state.drawing.piles)
    return on_board + (state.drawing.reserves[seat] if state.drawing.reserves else 0)


def morris_men(before: State, after: State, seat: int) -> int:
    """Return how many men more a seat took than it lost."""
    taken = men_of(before, 1 - seat) - men_of(after, 1 - seat)
    return taken - (men_of(before, seat) - men_of(after, seat))


def mingmang_men(before: State, after: State, seat: int) -> int:
    """Return how many men more a seat captured than it lost: captured men change sides."""
    return men_of(after, seat) - men_of(before, seat)


def balance(state: State, seat: int) -> int:
    """Return how many squares more only this seat reaches than only its opponent."""
    cells = cells_of(state)
    reach = []
    for each in (seat, 1 - seat):
        found = {cell for cell, pile in cells.items() if pile is not None and pile[0] == each}
        edge = list(found)
        while edge:
            row, column = edge.pop()
            for down, right in SQUARE_STEPS:
                cell = (row + down, column + right)
                if cell in cells and cells[cell] is None and cell not in found:
                    found.add(cell)
                    edge.append(cell)
        reach.append(found)
    return len(reach[0] - reach[1]) - len(reach[1] - reach[0])


def territory(before: State, after: State, seat: int) -> int:
    """Return by how much the balance of territory moved in a seat's favour."""
    return balance(after, seat) - balance(before, seat)


def movable(state: State, seat: int) -> int:
    """Return how many sheep can leave their stacks."""
    cells = cells_of(state)
    return sum(
        pile[1] - 1
        for (row, column), pile in cells.items()
        if pile is not None
        and pile[0] == seat
        and any(cells.get((row + down, column + right), pile) is None for down, right in HEX_STEPS)
    )


def sheep(before: State, after: State, seat: int) -> int:
    """Return how many movable sheep more the opponent of a seat lost than the seat."""
    lost, own = (movable(before, each) - movable(after, each) for each in (1 - seat, seat))
    return lost - own


COUNTS: dict[tuple[str, str], Callable[[State, State, int], int]] = {
    ("morris", "men"): morris_men,
    ("mingmang", "men"): mingmang_men,
    ("mingmang", "territory"): territory,
    ("battlesheep", "sheep"): sheep,
}


def fitting_moves(state: State, measure: str, gain: int, plies: int, before: State | None = None) -> set[str]:
    """Return the moves after which the sentence can be made true, whatever the opponent answers."""
    start = before or state
    return {
        state.format_move(move)
        for move in state.legal_moves
        if _is_forced(start, state.after(move), state.seat, measure, gain, plies - 1)
    }


def _is_forced(start: State, state: State, solver: int, measure: str, gain: int, plies: int) -> bool:
    outcome = state.outcome
    if measure == "win":
        if outcome is not None or plies == 0:
            return outcome is not None and outcome.ranks[solver] < outcome.ranks[1 - solver]
    elif outcome is not None or plies == 0:
        return COUNTS[state.game.name, measure](start, state, solver) >= gain
    answers = (_is_forced(start, state.after(move), solver, measure, gain, plies - 1) for move in state.legal_moves)
    return any(answers) if state.seat == solver else all(answers)
