"""Max-n search, in which each seat maximises its own result, for comparison in `benchmarks.seats`.

It lost there, so the engine does not use it. Each position has a value for every seat, and the seat to move chooses the
best for itself (Luckhardt and Irani, An algorithmic solution of n-person games, 1986). A value is a seat's lead over
the best other seat, so that the values of two seats never add up to more than 0. This allows shallow pruning (Korf,
Multi-player alpha-beta pruning, 1991): a seat that can already get v leaves at most -v to the seat before it, which
avoids the position if it has as much elsewhere.

It uses iterative deepening, killer moves and the history heuristic like the engine's search, but no transposition
table: a bound on one seat's value says nothing about the others'.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from millrace.engine.bindings import packing_of, read_move
from millrace.engine.bits import allocating_kernel, kernel
from millrace.engine.game import MOVE_LIMIT, Board, Game, Position, Words
from millrace.engine.state import State

RANK_WORTH = 10_000
"""The value of one rank at the end: more than any evaluation."""

LEAST = -100_000
DEEPEST = 60
NODES, LIMIT, SEATS = range(3)
KILLER = 1 << 40


class Scratch(NamedTuple):
    """The arrays of the search."""

    counters: NDArray[np.int64]
    values: NDArray[np.int64]
    """For each ply, the value for each seat, counted from the root's seat."""
    best_moves: NDArray[np.int64]
    """For each ply, the latest best move."""
    moves: NDArray[np.int32]
    ranked: NDArray[np.int64]
    history: NDArray[np.int64]
    """By seat and move."""
    ranks: NDArray[np.int32]


class Found(NamedTuple):
    """The result of a search."""

    move: int
    values: tuple[int, ...]
    """The value for each seat, from the seat to move on."""
    depth: int
    nodes: int


Look = Callable[[Board, Words, int, Scratch], bool]
"""Search to a depth, with the result in the first rows; return False if the nodes were used up before."""


def search(state: State, nodes: int, depth: int = DEEPEST) -> Found:
    """Search a state that is not over, with a limit of nodes or depth."""
    look = make_max_n(state.game)
    scratch = new_scratch(state, nodes)
    found = Found(state.legal_moves[0], (), 0, 0)
    for plies in range(1, depth + 1):
        if not look(state.start.board, state.words, plies, scratch):
            break
        values = tuple(int(value) for value in scratch.values[0, : state.start.seats])
        found = Found(int(scratch.best_moves[0]), values, plies, int(scratch.counters[NODES]))
    return found


def new_scratch(state: State, nodes: int) -> Scratch:
    """Return the arrays of a search with this many nodes."""
    most_moves, seats = state.game.rules.kernels.max_moves, state.start.seats
    return Scratch(
        counters=np.array([0, nodes, seats], dtype=np.int64),
        values=np.zeros((DEEPEST + 1, seats), dtype=np.int64),
        best_moves=np.zeros(DEEPEST + 1, dtype=np.int64),
        moves=np.zeros((DEEPEST + 1, most_moves), dtype=np.int32),
        ranked=np.zeros((DEEPEST + 1, most_moves), dtype=np.int64),
        history=np.zeros((seats, MOVE_LIMIT), dtype=np.int64),
        ranks=np.zeros(max(state.game.seats), dtype=np.int32),
    )


@kernel
def judge_end(scratch: Scratch, ply: int) -> None:
    """Write the value of an end for each seat, from the ranks counted from the mover."""
    seats = scratch.counters[SEATS]
    for seat in range(seats):
        own = scratch.ranks[(seat - ply) % seats]
        best_other = seats + 1
        for other in range(seats):
            if other != seat:
                best_other = min(best_other, int(scratch.ranks[(other - ply) % seats]))
        scratch.values[ply, seat] = RANK_WORTH * (best_other - own)


@allocating_kernel
def rank_moves(scratch: Scratch, ply: int, count: int) -> None:
    """Order the moves of a ply: the killer move, then by history."""
    seat = ply % scratch.counters[SEATS]
    for index in range(count):
        move = read_move(scratch.moves[ply], index)
        rank = KILLER if move == scratch.best_moves[ply] else scratch.history[seat, move]
        scratch.ranked[ply, index] = rank << 16 | move
    scratch.ranked[ply, :count] = -np.sort(-scratch.ranked[ply, :count])


@cache
def make_max_n(game: Game) -> Look:
    """Return the compiled search of a game for more than two seats."""
    kernels, unpack = game.rules.kernels, packing_of(game).unpack
    generate_moves, count_moves, make_move = kernels.generate_moves, kernels.count_moves, kernels.make_move
    evaluate_for, outcome = kernels.evaluate_for, kernels.outcome
    assert evaluate_for is not None

    @kernel
    def look_on(board: Board, position: Position, depth: int, ply: int, least: int, scratch: Scratch) -> bool:
        """Write the values of a position; they may be inexact if the mover's is below `least`."""
        counters, values = scratch.counters, scratch.values
        seats = counters[SEATS]
        if counters[NODES] >= counters[LIMIT]:
            return False
        counters[NODES] += 1
        if count_moves(board, position) == 0:
            outcome(board, position, scratch.ranks)
            judge_end(scratch, ply)
            return True
        if depth == 0:
            for seat in range(seats):
                values[ply, seat] = evaluate_for(board, position, (seat - ply) % seats)
            return True
        count = generate_moves(board, position, scratch.moves[ply])
        rank_moves(scratch, ply, count)
        mover, best = ply % seats, LEAST
        for index in range(count):
            move = scratch.ranked[ply, index] & 0xFFFF
            if not look_on(board, make_move(board, position, move), depth - 1, ply + 1, -best, scratch):
                return False
            if values[ply + 1, mover] > best:
                best = values[ply + 1, mover]
                scratch.best_moves[ply] = move
                for seat in range(seats):
                    values[ply, seat] = values[ply + 1, seat]
                if best >= least:
                    break
        scratch.history[mover, scratch.best_moves[ply]] += depth * depth
        return True

    @kernel
    def look(board: Board, words: Words, depth: int, scratch: Scratch) -> bool:
        return look_on(board, unpack(words), depth, 0, -LEAST, scratch)

    return look
