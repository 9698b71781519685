"""A plain solver for the smallest tables of Nine Men's Morris, to count their results a second time.

It shares only the rules with the tables' builder: states are a sorted list of the smallest images under the board's
symmetries, moves are made forwards, and each pass over all states settles those that end in one more ply. It is slow,
and stores four bytes per move.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..bindings import read_move
from ..bits import count_cells, kernel
from ..game import MoveBuffer
from ..games.morris.kernels import MAX_MOVES, generate_moves, make_move
from ..games.morris.position import MorrisBoard, MorrisPosition
from ..games.morris.symmetries import board_symmetries
from .pairs import Pair, pairs_up_to

POINTS = 24
LEAST_MEN = 3
RULES_WITH_FLYING = MorrisBoard(np.array([1], dtype=np.uint64))
UNSETTLED = -1
OPPONENT_LOST = -1
"""The state after a capture that leaves the opponent two men."""

States = NDArray[np.uint64]
"""States of one table, ascending: the mover's points shifted by 24, and the opponent's."""


class Recount(NamedTuple):
    """The results of a table, symmetric states counted once, for the side to move."""

    won: int
    drawn: int
    lost: int
    longest_win: int
    """In plies; 0 if there is none."""
    longest_loss: int


def recount(last: Pair, on_pair: Callable[[Pair], None] = lambda _pair: None) -> dict[tuple[int, int], Recount]:
    """Solve all tables up to a pair, and return their counts by the men of the mover and of the opponent.

    `on_pair` is called before each pair is solved.
    """
    images = _image_table()
    states: dict[tuple[int, int], States] = {}
    plies: dict[tuple[int, int], NDArray[np.int16]] = {}
    for more, fewer in pairs_up_to(last):
        on_pair((more, fewer))
        tables = list(dict.fromkeys([(more, fewer), (fewer, more)]))
        for men in tables:
            states[men] = _states_of(images, *men)
            plies[men] = np.full(len(states[men]), UNSETTLED, dtype=np.int16)
        moves = {men: _moves_of(images, states, men) for men in tables}
        _settle(plies, moves, tables)
    return {men: _counted(plies[men]) for men in states}


class Moves(NamedTuple):
    """The states after the moves of each state of a table."""

    first: NDArray[np.int64]
    """By state: the index of its first move; one more for the end."""
    after: NDArray[np.int32]
    """By move: the number of the state after it in its own table, or `OPPONENT_LOST`."""
    is_capture: NDArray[np.bool_]
    """By move: whether the state after it has one man less."""


def _settle(
    plies: dict[tuple[int, int], NDArray[np.int16]],
    moves: dict[tuple[int, int], Moves],
    tables: list[tuple[int, int]],
) -> None:
    """Settle the states of a pair, one number of plies after another, until nothing more can change."""
    longest_below = max((int(known.max()) for men, known in plies.items() if men not in tables), default=0)
    ply, latest_change = 0, 0
    while ply <= max(latest_change, longest_below) + 2:
        for mover_men, opponent_men in tables:
            below = plies.get((opponent_men - 1, mover_men), np.zeros(0, dtype=np.int16))
            changed = settle_ply(
                plies[mover_men, opponent_men],
                *moves[mover_men, opponent_men],
                plies[opponent_men, mover_men],
                below,
                ply,
            )
            latest_change = ply if changed else latest_change
        ply += 1


@kernel
def settle_ply(
    plies: NDArray[np.int16],
    first: NDArray[np.int64],
    after: NDArray[np.int32],
    is_capture: NDArray[np.bool_],
    quiet_plies: NDArray[np.int16],
    capture_plies: NDArray[np.int16],
    ply: int,
) -> int:
    """Settle the states of a table that end after `ply` plies: wins if it is odd, losses if it is even; return their
    number.
    """
    changed = 0
    for state in range(plies.shape[0]):
        if plies[state] != UNSETTLED:
            continue
        is_won, is_lost = False, ply % 2 == 0
        for move in range(first[state], first[state + 1]):
            reply = after[move]
            rest = 0
            if reply != OPPONENT_LOST:
                rest = capture_plies[reply] if is_capture[move] else quiet_plies[reply]
            if ply % 2 == 1 and rest == ply - 1:
                is_won = True
                break
            if rest % 2 == 0 or rest == UNSETTLED or rest >= ply:
                is_lost = False
        if is_won or is_lost:
            plies[state] = ply
            changed += 1
    return changed


@kernel
def least_image(images: NDArray[np.uint64], mover: np.uint64, opponent: np.uint64) -> np.uint64:
    """Return the smallest image of a state under the symmetries."""
    least = ~np.uint64(0)
    for symmetry in range(images.shape[0]):
        first, second = np.uint64(0), np.uint64(0)
        for ring in range(3):
            shift = np.uint64(8 * ring)
            first |= images[symmetry, ring, np.int64(mover >> shift & np.uint64(255))]
            second |= images[symmetry, ring, np.int64(opponent >> shift & np.uint64(255))]
        least = min(least, first << np.uint64(POINTS) | second)
    return least


@kernel
def find_states(images: NDArray[np.uint64], movers: States, opponents: States, found: States) -> int:
    """Write the states that are their own smallest images, ascending, and return their number; count only if `found` is
    empty.
    """
    count = 0
    for mover in movers:
        if least_image(images, mover, np.uint64(0)) != mover << np.uint64(POINTS):
            continue
        for opponent in opponents:
            state = mover << np.uint64(POINTS) | opponent
            if mover & opponent == np.uint64(0) and least_image(images, mover, opponent) == state:
                if found.shape[0] > 0:
                    found[count] = state
                count += 1
    return count


@kernel
def find_moves(
    images: NDArray[np.uint64],
    board: MorrisBoard,
    states: States,
    quiet: States,
    captured: States,
    moves: MoveBuffer,
    first: NDArray[np.int64],
    after: NDArray[np.int32],
    is_capture: NDArray[np.bool_],
) -> int:
    """Write the moves of a table's states, and return their number; count only if `after` is empty."""
    made = 0
    for number in range(states.shape[0]):
        mover = states[number] >> np.uint64(POINTS)
        opponent = states[number] & np.uint64((1 << POINTS) - 1)
        count = generate_moves(board, MorrisPosition(mover, opponent, np.uint64(0)), moves)
        first[number] = made
        for at in range(count):
            if after.shape[0] > 0:
                reply = make_move(board, MorrisPosition(mover, opponent, np.uint64(0)), read_move(moves, at))
                is_capture[made] = count_cells(reply.mover) < count_cells(opponent)
                after[made] = OPPONENT_LOST
                if count_cells(reply.mover) >= LEAST_MEN:
                    key = least_image(images, reply.mover, reply.opponent)
                    after[made] = np.searchsorted(captured if is_capture[made] else quiet, key)
            made += 1
    first[states.shape[0]] = made
    return made


def _states_of(images: NDArray[np.uint64], mover_men: int, opponent_men: int) -> States:
    sets = np.arange(1 << POINTS, dtype=np.uint64)
    men = np.bitwise_count(sets)
    arguments = images, sets[men == mover_men], sets[men == opponent_men]
    found = np.empty(find_states(*arguments, np.empty(0, dtype=np.uint64)), dtype=np.uint64)
    find_states(*arguments, found)
    return found


def _moves_of(images: NDArray[np.uint64], states: dict[tuple[int, int], States], men: tuple[int, int]) -> Moves:
    quiet, captured = states[men[::-1]], states.get((men[1] - 1, men[0]), np.zeros(0, dtype=np.uint64))
    buffer, first = np.zeros(MAX_MOVES, dtype=np.int32), np.zeros(len(states[men]) + 1, dtype=np.int64)
    arguments = images, RULES_WITH_FLYING, states[men], quiet, captured, buffer, first
    count = find_moves(*arguments, np.empty(0, dtype=np.int32), np.empty(0, dtype=np.bool_))
    after, is_capture = np.empty(count, dtype=np.int32), np.empty(count, dtype=np.bool_)
    find_moves(*arguments, after, is_capture)
    return Moves(first, after, is_capture)


def _image_table() -> NDArray[np.uint64]:
    """Return the images of the points of each ring: shape `(symmetries, 3, 256)`."""
    symmetries = board_symmetries(RULES_WITH_FLYING)
    images = np.zeros((len(symmetries), 3, 256), dtype=np.uint64)
    points = np.arange(256)
    for number, symmetry in enumerate(symmetries):
        for point in range(POINTS):
            has_man = (points >> (point % 8) & 1).astype(np.uint64)
            images[number, point // 8] |= has_man << np.uint64(symmetry[point])
    return images


def _counted(plies: NDArray[np.int16]) -> Recount:
    is_settled = plies != UNSETTLED
    is_won, is_lost = is_settled & (plies % 2 == 1), is_settled & (plies % 2 == 0)
    return Recount(
        int(is_won.sum()),
        int((plies == UNSETTLED).sum()),
        int(is_lost.sum()),
        int(plies[is_won].max(initial=0)),
        int(plies[is_lost].max(initial=0)),
    )
