"""Four ways to generate rook moves, compared: why Ming Mang's kernels use fronts.

Run `python -m benchmarks.slides [POSITIONS] [ROUNDS]`; it prints nanoseconds per position.
"""

import random
import sys
import time
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from millrace.engine.bits import NO_CELLS, Bitboard, cell_bit, highest_cell, kernel, lowest_cell
from millrace.engine.game import MoveBuffer
from millrace.engine.games.mingmang.kernels import MAX_MOVES, SQUARES, generate_moves
from millrace.engine.games.mingmang.position import MingMangBoard, MingMangPosition

ALL = np.uint64(2**64 - 1)
ONE = np.uint64(1)
INNER = np.uint64(63)
A_FILE = np.uint64(0x0101010101010101)
FILE_TO_RANK = np.uint64(0x0102040810204080)


def slide(square: int, occupied: int) -> int:
    """Return the squares that a rook attacks, including blockers, step by step."""
    attacked = 0
    for file_step, rank_step in ((1, 0), (-1, 0), (0, 1), (0, -1)):
        file, rank = square % 8 + file_step, square // 8 + rank_step
        while 0 <= file < 8 and 0 <= rank < 8:
            attacked |= 1 << 8 * rank + file
            if occupied >> 8 * rank + file & 1:
                break
            file, rank = file + file_step, rank + rank_step
    return attacked


def line_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """Return the attacks along rank 1 and along the a-file, by square and by occupation of the six inner squares."""
    ranks, files = np.zeros((2, 8, 64), dtype=np.uint64)
    for place in range(8):
        for inner in range(64):
            ranks[place, inner] = slide(place, inner << 1) & 0xFF
            on_file = sum(1 << 8 * (step + 1) for step in range(6) if inner >> step & 1)
            files[place, inner] = slide(8 * place, on_file) & int(A_FILE)
    return ranks, files


def magic_tables() -> tuple[NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64], NDArray[np.uint64]]:
    """Return masks, magic factors, shifts and attacks (4,096 for each square), found by trial and error."""
    chance = random.Random(1)
    masks, factors, shifts = np.zeros((3, SQUARES), dtype=np.uint64)
    attacks = np.zeros((SQUARES, 4096), dtype=np.uint64)
    for square in range(SQUARES):
        mask = inner_mask(square)
        subsets = [0]
        while (following := (subsets[-1] - mask) & mask) != 0:
            subsets.append(following)
        reached = np.array([slide(square, subset) for subset in subsets], dtype=np.uint64)
        shift = np.uint64(64 - mask.bit_count())
        while True:
            factor = np.uint64(chance.getrandbits(64) & chance.getrandbits(64) & chance.getrandbits(64))
            index = (np.array(subsets, dtype=np.uint64) * factor) >> shift
            attacks[square, index] = reached
            if (attacks[square, index] == reached).all():
                break
        masks[square], factors[square], shifts[square] = mask, factor, shift
    return masks, factors, shifts, attacks


def inner_mask(square: int) -> int:
    """Return the squares whose occupation changes a rook's attacks."""
    lines = slide(square, 0)
    rank_ends = 0x81 << (square & 56)
    file_ends = (1 | 1 << 56) << (square & 7)
    return lines & ~(rank_ends | file_ends)


RANKS, FILES = line_tables()
MASKS, FACTORS, SHIFTS, ATTACKS = magic_tables()


@kernel
def by_rays(square: int, occupied: Bitboard) -> Bitboard:
    """Classical rays, cut at the lowest or highest blocker."""
    man = cell_bit(square)
    north = np.uint64(0x0101010101010100) << np.uint64(square)
    east = (cell_bit(square | 7) - man) << ONE
    south = np.uint64(0x0080808080808080) >> np.uint64(63 - square)
    west = man - cell_bit(square & 56)
    blockers = north & occupied
    attacked = (blockers ^ (blockers - (man << ONE))) & north
    blockers = east & occupied
    attacked |= (blockers ^ (blockers - (man << ONE))) & east
    attacked |= south & (ALL << np.uint64(highest_cell((south & occupied) | ONE)))
    return attacked | west & (ALL << np.uint64(highest_cell((west & occupied) | ONE)))


@kernel
def by_lines(square: int, occupied: Bitboard) -> Bitboard:
    """Look-up of the rank, and of the file turned into a rank by multiplication."""
    rank, file = np.uint64(square & 56), np.uint64(square & 7)
    along_rank = (occupied >> (rank + ONE)) & INNER
    along_file = ((((occupied >> file) & A_FILE) * FILE_TO_RANK) >> np.uint64(57)) & INNER
    attacked: Bitboard = (RANKS[square & 7, along_rank] << rank) | (FILES[square >> 3, along_file] << file)
    return attacked


@kernel
def by_magic(square: int, occupied: Bitboard) -> Bitboard:
    """Magic numbers (chessprogramming.org/Magic_Bitboards)."""
    attacked: Bitboard = ATTACKS[square, ((occupied & MASKS[square]) * FACTORS[square]) >> SHIFTS[square]]
    return attacked


def generator_by(attacks: Callable[[int, Bitboard], Bitboard]) -> Callable[[Bitboard, Bitboard, MoveBuffer], int]:
    """Return a generator that calls `attacks` for each man."""

    @kernel
    def generate(mover: Bitboard, opponent: Bitboard, moves: MoveBuffer) -> int:
        count = 0
        men = mover
        while men != NO_CELLS:
            square = lowest_cell(men)
            men &= men - ONE
            targets = attacks(square, mover | opponent) & ~(mover | opponent)
            while targets != NO_CELLS:
                moves[count] = square | lowest_cell(targets) << 6
                targets &= targets - ONE
                count += 1
        return count + 1

    return generate


BOARD = MingMangBoard(np.array([ALL], dtype=np.uint64))


def generator_by_fronts(board: MingMangBoard) -> Callable[[Bitboard, Bitboard, MoveBuffer], int]:
    """Return the engine's own generator with the same interface."""
    squares = board.squares

    @kernel
    def generate(mover: Bitboard, opponent: Bitboard, moves: MoveBuffer) -> int:
        return generate_moves(MingMangBoard(squares), MingMangPosition(mover, opponent, NO_CELLS), moves)

    return generate


def measure(generate: Callable[[Bitboard, Bitboard, MoveBuffer], int], men: NDArray[np.uint64], rounds: int) -> str:
    """Return a row with moves and nanoseconds per position."""

    @kernel
    def run(men: NDArray[np.uint64], moves: MoveBuffer, rounds: int) -> int:
        count = 0
        for _ in range(rounds):
            for index in range(men.shape[0]):
                count += generate(men[index, 0], men[index, 1], moves)
        return count

    moves = np.empty(MAX_MOVES, dtype=np.int32)
    run(men, moves, 1)
    started = time.perf_counter()
    count = run(men, moves, rounds)
    elapsed = time.perf_counter() - started
    return f"{count / rounds / len(men):6.2f} moves {elapsed / rounds / len(men) * 1e9:7.1f} ns"


def main() -> None:
    """Measure on random positions of 28 men."""
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 4000
    rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 50
    chance = random.Random(1)
    men = np.zeros((positions, 2), dtype=np.uint64)
    for index in range(positions):
        squares = chance.sample(range(SQUARES), 28)
        men[index] = [sum(1 << square for square in part) for part in (squares[:14], squares[14:])]
    for name, generate in (
        ("fronts", generator_by_fronts(BOARD)),
        ("lines", generator_by(by_lines)),
        ("rays", generator_by(by_rays)),
        ("magic", generator_by(by_magic)),
    ):
        print(f"{name:7}{measure(generate, men, rounds)}")


if __name__ == "__main__":
    main()
