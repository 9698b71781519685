"""The rules of Battle Sheep as kernels: placing, splitting, passing, and the end of play.

Cells, rays and the outer edge come with the board (`pasture`), which numbers cells so that the first stack on a ray is
the lowest or the highest bit of `ray & occupied`.

A split is `origin | target << 6 | sheep << 12`, with 1 to 15 sheep. Numbers below 1 << 12 have no sheep and are used
for the rest: a placement is `PLACING | cell << 6`, and there is `PASS`.
"""

import numpy as np
from numpy.typing import NDArray

from ...bits import NO_CELLS, Bitboard, cell_bit, count_cells, highest_cell, kernel, lowest_cell
from ...game import ClickBuffer, Kernels, MoveBuffer
from ...game.drawing_kernels import PILE_SIZE, draw_pieces
from ...weights import evaluate_by, evaluate_for_by, shipped_weights
from .evaluation import EVALUATION
from .pasture import (
    ALL_CELLS,
    FACTS,
    NEIGHBOURS,
    OUTER_EDGE,
    BattleSheepBoard,
)
from .position import (
    ONE,
    SHEEP,
    BattleSheepPosition,
    divisible_stacks,
    largest_group,
    movable_sheep,
    occupied_cells,
    seats_of,
    stacks_of,
)

PLACING = 1
PASS = 2
HYPHEN, COLON = ord("-"), ord(":")
MAX_CLICKS = 3
MAX_MOVES = 90
"""At most 15 of a seat's 16 sheep can leave their stacks, in six directions each; and a stack can be placed on 64
cells."""

GROUP_BITS, SCORE_BITS = 7, 14
SCORE_MASK = (1 << SCORE_BITS) - 1
"""What ranks a seat is its score: its cells, then its largest group. The scores of all seats are one integer, since a
kernel creates no arrays."""

MOST_CELLS_WIN = 0
LARGEST_GROUP_WINS = 1
SHARED = 2


@kernel
def highest_target(ray: Bitboard, occupied: Bitboard) -> int:
    """Return the last empty cell before a stack on a ray to higher bits, or -1 if none is crossed (3.4)."""
    stacks = ray & occupied
    if stacks != NO_CELLS:
        ray &= cell_bit(lowest_cell(stacks)) - ONE
    return highest_cell(ray)


@kernel
def lowest_target(ray: Bitboard, occupied: Bitboard) -> int:
    """Return the last empty cell before a stack on a ray to lower bits, or 64 if none is crossed (3.4)."""
    stacks = ray & occupied
    if stacks != NO_CELLS:
        nearest = cell_bit(highest_cell(stacks))
        ray &= ~(nearest | nearest - ONE)
    return lowest_cell(ray)


@kernel
def write_splits(board: BattleSheepBoard, position: BattleSheepPosition, empties: Bitboard, moves: MoveBuffer) -> int:
    """Write the mover's splits (3.4) and return their number."""
    occupied = ~empties
    count = 0
    stacks = position.mover & divisible_stacks(position)
    while stacks != NO_CELLS:
        origin = lowest_cell(stacks)
        stacks &= stacks - ONE
        if board.tables[NEIGHBOURS, origin] & empties == NO_CELLS:
            continue
        most = movable_sheep(position, origin)
        for direction in range(6):
            ray = board.tables[direction, origin]
            target = highest_target(ray, occupied) if direction < 3 else lowest_target(ray, occupied)
            if 0 <= target < 64:
                for sheep in range(1, most + 1):
                    moves[count] = origin | target << 6 | sheep << 12
                    count += 1
    return count


@kernel
def count_splits(board: BattleSheepBoard, position: BattleSheepPosition, stacks: Bitboard, empties: Bitboard) -> int:
    """Return the number of splits of some stacks: for each, its empty sides times its sheep that can leave it."""
    count = 0
    stacks &= divisible_stacks(position)
    while stacks != NO_CELLS:
        cell = lowest_cell(stacks)
        stacks &= stacks - ONE
        count += count_cells(board.tables[NEIGHBOURS, cell] & empties) * movable_sheep(position, cell)
    return count


@kernel
def may_move(board: BattleSheepBoard, position: BattleSheepPosition, stacks: Bitboard, empties: Bitboard) -> bool:
    """Return whether the seat with these stacks could place (3.3) or split (3.4) if it were its turn."""
    if stacks == NO_CELLS:
        return bool(board.tables[FACTS, OUTER_EDGE] & empties != NO_CELLS)
    stacks &= divisible_stacks(position)
    while stacks != NO_CELLS:
        if board.tables[NEIGHBOURS, lowest_cell(stacks)] & empties != NO_CELLS:
            return True
        stacks &= stacks - ONE
    return False


@kernel
def any_other_moves(board: BattleSheepBoard, position: BattleSheepPosition, empties: Bitboard) -> bool:
    """Return whether a seat other than the mover could move if it were its turn."""
    for turn in range(1, seats_of(board)):
        stacks = stacks_of(position, turn)
        if may_move(board, position, stacks, empties):
            return True
    return False


@kernel
def generate_moves(board: BattleSheepBoard, position: BattleSheepPosition, moves: MoveBuffer) -> int:
    """Write the placements (3.3) or the splits (3.4), or the forced pass while another seat can move (3.5, 3.6)."""
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    count = 0
    if position.mover == NO_CELLS:
        targets = board.tables[FACTS, OUTER_EDGE] & empties
        while targets != NO_CELLS:
            moves[count] = PLACING | lowest_cell(targets) << 6
            targets &= targets - ONE
            count += 1
    else:
        count = write_splits(board, position, empties, moves)
    if count == 0 and any_other_moves(board, position, empties):
        moves[0] = PASS
        count = 1
    return count


@kernel
def count_moves(board: BattleSheepBoard, position: BattleSheepPosition) -> int:
    """Return the number of moves that `generate_moves` writes."""
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    if position.mover == NO_CELLS:
        count = count_cells(board.tables[FACTS, OUTER_EDGE] & empties)
    else:
        count = count_splits(board, position, position.mover, empties)
    if count == 0 and any_other_moves(board, position, empties):
        return 1
    return count


@kernel
def is_over(board: BattleSheepBoard, position: BattleSheepPosition) -> bool:
    """Return whether no seat can move any more (3.6)."""
    empties = board.tables[FACTS, ALL_CELLS] & ~occupied_cells(position)
    return not (may_move(board, position, position.mover, empties) or any_other_moves(board, position, empties))


@kernel
def bit_at(number: int, bit: int, cell: int) -> Bitboard:
    """Return the set of only `cell` if that bit of the number is set, else the empty set."""
    return np.uint64(number >> bit & 1) << np.uint64(cell)


@kernel
def passed_on(board: BattleSheepBoard, position: BattleSheepPosition) -> BattleSheepPosition:
    """Return the position from the view of the next seat."""
    mover, second, third, fourth = position.mover, position.second, position.third, position.fourth
    seats = seats_of(board)
    if seats == 2:
        mover, second = second, mover
    elif seats == 3:
        mover, second, third = second, third, mover
    else:
        mover, second, third, fourth = second, third, fourth, mover
    return BattleSheepPosition(
        mover, second, third, fourth, position.ones, position.twos, position.fours, position.eights
    )


@kernel
def make_move(board: BattleSheepBoard, position: BattleSheepPosition, move: int) -> BattleSheepPosition:
    """Return the position after the move, from the view of the next seat."""
    if move == PASS:
        return passed_on(board, position)
    origin, target, sheep = move & 63, move >> 6 & 63, move >> 12
    staying = movable_sheep(position, origin) - sheep
    arriving = sheep - 1
    if sheep == 0:
        origin, staying, arriving = target, 0, SHEEP - 1
    others = ~(cell_bit(origin) | cell_bit(target))
    after = BattleSheepPosition(
        position.mover | cell_bit(target),
        position.second,
        position.third,
        position.fourth,
        position.ones & others | bit_at(staying, 0, origin) | bit_at(arriving, 0, target),
        position.twos & others | bit_at(staying, 1, origin) | bit_at(arriving, 1, target),
        position.fours & others | bit_at(staying, 2, origin) | bit_at(arriving, 2, target),
        position.eights & others | bit_at(staying, 3, origin) | bit_at(arriving, 3, target),
    )
    return passed_on(board, after)


@kernel
def score_in(scores: int, turn: int) -> int:
    """Return the score of the seat `turn` plies after the mover."""
    return scores >> turn * SCORE_BITS & SCORE_MASK


@kernel
def outcome(board: BattleSheepBoard, position: BattleSheepPosition, ranks: NDArray[np.int32]) -> int:
    """Write the rank of each seat, by cells and then by largest group, and return what decided the first rank (3.6)."""
    seats = seats_of(board)
    scores, most_cells = 0, 0
    for turn in range(seats):
        stacks = stacks_of(position, turn)
        cells = count_cells(stacks)
        scores |= (cells << GROUP_BITS | largest_group(board, stacks)) << turn * SCORE_BITS
        most_cells = max(most_cells, cells)
    leaders_by_cells = 0
    winners = 0
    for turn in range(seats):
        score, rank = score_in(scores, turn), 1
        for other in range(seats):
            rank += int(score_in(scores, other) > score)
        ranks[turn] = rank
        winners += int(rank == 1)
        leaders_by_cells += int(score >> GROUP_BITS == most_cells)
    if winners > 1:
        return SHARED
    return MOST_CELLS_WIN if leaders_by_cells == 1 else LARGEST_GROUP_WINS


@kernel
def write_clicks(board: BattleSheepBoard, _position: BattleSheepPosition, move: int, clicks: ClickBuffer) -> int:
    """Write origin, target and number of sheep; or the cell to place on; or the choice `pass`.

    The choices are `pass`, then the numbers of sheep from 1.
    """
    pass_click = count_cells(board.tables[FACTS, ALL_CELLS])
    if move == PASS:
        clicks[0] = pass_click
        return 1
    target, sheep = move >> 6 & 63, move >> 12
    if sheep == 0:
        clicks[0] = target
        return 1
    clicks[0] = move & 63
    clicks[1] = target
    clicks[2] = pass_click + sheep
    return 3


@kernel
def separator(_board: BattleSheepBoard, _position: BattleSheepPosition, _move: int, index: int) -> int:
    """Return the character between two clicks, as in `c3-f3:7`."""
    return HYPHEN if index == 0 else COLON


@kernel
def draw(
    board: BattleSheepBoard, position: BattleSheepPosition, cells: NDArray[np.int16], counts: NDArray[np.int16]
) -> None:
    """Write the stacks, the sheep of seats that have not placed theirs, and what decides the match."""
    for turn in range(seats_of(board)):
        stacks = stacks_of(position, turn)
        draw_pieces(cells, turn, stacks)
        counts[0, turn] = SHEEP if stacks == NO_CELLS else 0
        counts[1, turn] = count_cells(stacks)
        counts[2, turn] = largest_group(board, stacks)
        while stacks != NO_CELLS:
            cell = lowest_cell(stacks)
            cells[cell, PILE_SIZE] += movable_sheep(position, cell)
            stacks &= stacks - ONE


KERNELS = Kernels(
    generate_moves=generate_moves,
    count_moves=count_moves,
    make_move=make_move,
    outcome=outcome,
    evaluate=evaluate_by(EVALUATION, shipped_weights(EVALUATION)),
    write_clicks=write_clicks,
    max_moves=MAX_MOVES,
    max_clicks=MAX_CLICKS,
    evaluate_for=evaluate_for_by(EVALUATION, shipped_weights(EVALUATION)),
    pass_turn=passed_on,
    is_over=is_over,
    separator=separator,
    draw=draw,
)
