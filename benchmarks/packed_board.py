"""The rules of Nine Men's Morris on a packed board, as published programs keep it, beside ours on bitboards.

    python -m benchmarks.packed_board [--depth N]

The packed board is that of `engine.games.morris.packed`: two bits a point, with the men and steps of both sides above
them. Its kernels go from point to point, as those programs do; make_move keeps the counts up to date by the neighbours
of the points that change. Both are counted by the same perft, in bulk at the last ply.
"""

from collections.abc import Callable
from dataclasses import replace
from time import perf_counter
from typing import Annotated, NamedTuple

import numpy as np
import typer

from millrace.engine.bits import Bitboard, count_cells, kernel, to_count
from millrace.engine.game import Game, MoveBuffer, Start
from millrace.engine.games.morris import GAME
from millrace.engine.games.morris.kernels import HAND, NOTHING
from millrace.engine.games.morris.packed import (
    BLACK_COUNT,
    BLACK_STEPS,
    NEIGHBOURS,
    ORDER,
    POINT_BITS,
    WHITE_COUNT,
    WHITE_STEPS,
    write_packed,
)
from millrace.engine.games.morris.position import MEN, MorrisBoard
from millrace.engine.perft import perft
from millrace.engine.state import State

POSITIONS = {
    "": "the start",
    "WW.BW..B.W.B.BW..BW..B.. w 3 3": "placing",
    "W.BWB.WB..W.BW.BW..BWB.. w 0 0": "moving",
    "W..W......B..W..B..B.B.. w 0 0": "flying",
}

POINTS = len(ORDER)
ONE, TWO, BITS = np.uint64(1), np.uint64(2), np.uint64(3)
EVERY_POINT = np.uint64((1 << POINT_BITS) - 1)
WHITE_BITS = np.uint64(0x555555555555)
MEN_BITS = np.uint64(0xAAAAAAAAAAAA)
COUNTS = np.uint64(63 << BLACK_COUNT)
WHITE, BLACK, EMPTY = np.uint64(3), np.uint64(2), np.uint64(0)
BLACK_TO_MOVE = np.uint64(1 << 8)
NO_POINT = POINTS

SHIFTS = np.array([POINT_BITS - 2 - 2 * ORDER.index(point) for point in range(POINTS)], dtype=np.uint64)
"""By point, numbered as in the engine: the lower of its two bits."""

NEIGHBOURS_BY_POINT = np.full((POINTS, 4), NO_POINT)
for _place, _others in enumerate(NEIGHBOURS):
    for _column, _other in enumerate(_others):
        NEIGHBOURS_BY_POINT[ORDER[_place], _column] = ORDER[_other]


def mills_of(point: int) -> list[int]:
    """Return the two mills of a point as masks of both bits of their points."""
    ring, step = divmod(point, 8)
    lines = [[8 * ring + (first + each) % 8 for each in range(3)] for first in range(0, 8, 2)]
    if step % 2:
        lines.append([step, step + 8, step + 16])
    return [sum(3 << int(SHIFTS[each]) for each in line) for line in lines if point in line]


MILLS = np.array([mills_of(point) for point in range(POINTS)], dtype=np.uint64)


class PackedPosition(NamedTuple):
    """A packed board, and what it does not hold."""

    board: Bitboard
    turn: Bitboard
    """White's men in hand in bits 0..3, Black's in bits 4..7, and `BLACK_TO_MOVE`."""


@kernel
def man_at(board: Bitboard, point: int) -> Bitboard:
    """Return `WHITE`, `BLACK` or `EMPTY`."""
    return board >> SHIFTS[point] & BITS  # type: ignore[no-any-return]


@kernel
def is_in_mill(board: Bitboard, point: int, man: Bitboard) -> bool:
    """Return whether a man of this colour on a point is, or would be, in a mill."""
    board = board | man << SHIFTS[point]
    for index in range(2):
        mill = MILLS[point, index]
        if board & mill == (mill if man == WHITE else mill & MEN_BITS):
            return True
    return False


@kernel
def count_men(board: Bitboard, man: Bitboard) -> int:
    """Return the number of men of a colour."""
    white = count_cells(board & WHITE_BITS)
    return white if man == WHITE else count_cells(board & MEN_BITS) - white


@kernel
def change(board: Bitboard, point: int, man: Bitboard, sign: int) -> Bitboard:
    """Return the board with a man put on an empty point (`sign` 1) or taken away (-1), and the steps that follow."""
    white_steps, black_steps = np.uint64(1 << WHITE_STEPS), np.uint64(1 << BLACK_STEPS)
    own = white_steps if man == WHITE else black_steps
    for index in range(4):
        neighbour = NEIGHBOURS_BY_POINT[point, index]
        if neighbour == NO_POINT:
            break
        other = man_at(board, neighbour)
        gains = (sign > 0) == (other == EMPTY)
        steps = own if other == EMPTY else white_steps if other == WHITE else black_steps
        board = board + steps if gains else board - steps
    return board ^ man << SHIFTS[point]  # type: ignore[no-any-return]


@kernel
def with_counts(board: Bitboard) -> Bitboard:
    """Return the board with the men of both sides counted again."""
    white, black = max(count_men(board, WHITE) - 2, 0), max(count_men(board, BLACK) - 2, 0)
    return board & ~COUNTS | np.uint64(white) << np.uint64(WHITE_COUNT) | np.uint64(black) << np.uint64(BLACK_COUNT)


def make_generator(writes: bool) -> Callable[[MorrisBoard, PackedPosition, MoveBuffer], int]:
    """Return the kernel that counts the legal moves and, if it `writes`, writes them."""

    @kernel
    def write_to(
        board: Bitboard, origin: int, target: int, man: Bitboard, all_in_mills: bool, moves: MoveBuffer, count: int
    ) -> int:
        stem = origin | target << 5
        if is_in_mill(board, target, man):
            opponent, before = man ^ ONE, count
            for point in range(POINTS):
                if man_at(board, point) == opponent and (all_in_mills or not is_in_mill(board, point, opponent)):
                    if writes:
                        moves[count] = stem | point << 10
                    count += 1
            if count > before:
                return count
        if writes:
            moves[count] = stem | NOTHING << 10
        return count + 1

    @kernel
    def generate(options: MorrisBoard, position: PackedPosition, moves: MoveBuffer) -> int:
        board, count = position.board & EVERY_POINT, 0
        man = BLACK if position.turn & BLACK_TO_MOVE else WHITE
        all_in_mills = True
        for point in range(POINTS):
            if man_at(board, point) == man ^ ONE and not is_in_mill(board, point, man ^ ONE):
                all_in_mills = False
        if position.turn >> np.uint64(0 if man == WHITE else 4) & np.uint64(15):
            for target in range(POINTS):
                if man_at(board, target) == EMPTY:
                    count = write_to(board, HAND, target, man, all_in_mills, moves, count)
            return count
        men = 2 + to_count(position.board >> np.uint64(WHITE_COUNT if man == WHITE else BLACK_COUNT) & np.uint64(7))
        steps = position.board >> np.uint64(WHITE_STEPS if man == WHITE else BLACK_STEPS) & np.uint64(31)
        flies = men == 3 and options.options[0] == ONE
        if men < 3 or (steps == EMPTY and not flies):
            return 0
        for origin in range(POINTS):
            if man_at(board, origin) == man:
                left = board ^ man << SHIFTS[origin]
                for index in range(POINTS if flies else 4):
                    target = index if flies else NEIGHBOURS_BY_POINT[origin, index]
                    if target != NO_POINT and man_at(board, target) == EMPTY:
                        count = write_to(left, origin, target, man, all_in_mills, moves, count)
        return count

    return generate


generate_moves = make_generator(writes=True)
count_generated = make_generator(writes=False)
NO_MOVES = np.empty(0, dtype=np.int32)


@kernel
def count_moves(options: MorrisBoard, position: PackedPosition) -> int:
    """Return the number of legal moves."""
    return count_generated(options, position, NO_MOVES)


@kernel
def make_move(_options: MorrisBoard, position: PackedPosition, move: int) -> PackedPosition:
    """Return the position after a move."""
    origin, target, taken = move & 31, move >> 5 & 31, move >> 10
    board, turn = position.board, position.turn ^ BLACK_TO_MOVE
    man = BLACK if position.turn & BLACK_TO_MOVE else WHITE
    if origin == HAND:
        turn -= ONE << np.uint64(0 if man == WHITE else 4)
    else:
        board = change(board, origin, man, -1)
    board = change(board, target, man, 1)
    if taken != NOTHING:
        board = change(board, taken, man ^ ONE, -1)
    return PackedPosition(with_counts(board), turn)


def parse_setup(text: str) -> Start:
    """Return the start of a set-up text with a packed position."""
    start = GAME.texts.parse_setup(text)
    without, _, _ = GAME.texts.format_position(start, start.words, start.seat, 0).partition(" flying")
    packed, side, white_hand, black_hand = write_packed(without).split()
    turn = int(white_hand) | int(black_hand) << 4 | (int(BLACK_TO_MOVE) if side == "b" else 0)
    return start._replace(words=np.array([int(packed, 16), turn], dtype=np.uint64))


def packed_game() -> Game:
    """Return Nine Men's Morris with positions on a packed board, for perft."""
    assert (MEN - 2).bit_length() == WHITE_COUNT - BLACK_COUNT
    kernels = GAME.rules.kernels._replace(generate_moves=generate_moves, count_moves=count_moves, make_move=make_move)
    rules = replace(GAME.rules, kernels=kernels, position_type=PackedPosition, position_words=2)
    return replace(GAME, rules=rules, texts=replace(GAME.texts, parse_setup=parse_setup))


def main(depth: Annotated[int, typer.Option(min=2, help="Depth from each position, in plies.")] = 6) -> None:
    packed = packed_game()
    print(f"{'position':<12} {'depth':>5} {'leaves':>14} {'packed, M/s':>12} {'bitboards, M/s':>15} {'ratio':>6}")
    for position, name in POSITIONS.items():
        speeds, counts = [], set()
        for game in (packed, GAME):
            state = State.of(game, position)
            perft(state, 2)
            began = perf_counter()
            leaves = perft(state, depth)
            speeds.append(leaves / (perf_counter() - began) / 1e6)
            counts.add(leaves)
        assert len(counts) == 1, f"the boards disagree: {counts}"
        print(f"{name:<12} {depth:>5} {leaves:>14} {speeds[0]:>12.1f} {speeds[1]:>15.1f} {speeds[1] / speeds[0]:>6.1f}")


if __name__ == "__main__":
    typer.run(main)
