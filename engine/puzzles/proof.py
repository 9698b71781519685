"""Determines whether a goal can be forced: an exhaustive search of every line, without pruning that could err.

The solver needs one move that reaches the goal, the opponent every reply that prevents it: an AND/OR tree (see
chessprogramming.org/And-Or_Tree). Matches of two seats only. Repetition and quiet plies are ignored: a puzzle begins
without a history, and is shorter than any cycle that could end it.
"""

from collections.abc import Callable
from functools import cache
from typing import TypeAlias

import numpy as np

from ..bindings import compiled_for, packing_of, read_move
from ..bits import allocating_kernel, kernel
from ..game import Board, Game, MoveBuffer, Position, Words
from ..state import State
from .goal import WIN, Goal

NEVER = 1 << 30
"""A lead that no position has: only a win reaches it."""

SEARCHED_NODES = 20_000_000
"""Maximum nodes to decide whether a goal can be forced."""

REACHED, PREVENTED, UNKNOWN = 1, 0, -1

Prove: TypeAlias = Callable[[Board, Words, int, int, bool, int, MoveBuffer], int]
"""`(board, words, plies, least lead, whether ends decide, most nodes, buffer)` to `REACHED`, `PREVENTED`, or `UNKNOWN`
if the nodes did not suffice. The opponent is to move, and the buffer has one row for each ply and one more."""


class Prover:
    """Finds the moves of a position that reach a goal by force."""

    def __init__(self, game: Game, most_nodes: int = SEARCHED_NODES) -> None:
        self._game = game
        self._most_nodes = most_nodes

    def lead_of(self, state: State, measure: str) -> int:
        """Return the lead of the side to move; 0 for `win`."""
        return int(_lead_of(self._game, measure)(state.start.board, state.words))

    def moves_to(
        self, state: State, goal: Goal, least_lead: int, *, ends_decide: bool = True
    ) -> tuple[int, ...] | None:
        """Return the moves after which the side to move reaches a lead by force within the goal's plies.

        A won match reaches every goal and a lost one none, unless only the lead counts there too (`ends_decide` is
        false). None if the search was too long to say.
        """
        reaching = []
        for move in state.legal_moves:
            verdict = self._verdict_after(state.after(move), goal.measure, goal.plies - 1, least_lead, ends_decide)
            if verdict == UNKNOWN:
                return None
            if verdict == REACHED:
                reaching.append(move)
        return tuple(reaching)

    def least_lead(self, state: State, goal: Goal) -> int:
        """Return the lead that the side to move must reach for a goal that starts here."""
        return NEVER if goal.measure == WIN else self.lead_of(state, goal.measure) + goal.gain

    def _verdict_after(self, state: State, measure: str, plies: int, least_lead: int, ends_decide: bool) -> int:
        """Return the verdict where the opponent is to move, with `plies` left."""
        rules = self._game.rules
        buffer = np.empty((plies + 1, rules.kernels.max_moves), dtype=np.int32)
        prove = _prove(self._game, measure)
        return int(prove(state.start.board, state.words, plies, least_lead, ends_decide, self._most_nodes, buffer))


@cache
def _measure_of(game: Game, measure: str) -> Callable[[Board, Position], int]:
    if measure == WIN:
        return _no_lead
    assert game.puzzles is not None
    return game.puzzles.measures[measure]


@kernel
def _no_lead(_board: Board, _position: Position) -> int:
    """Return 0: the lead in a puzzle that asks for a win."""
    return 0


@cache
def _lead_of(game: Game, measure: str) -> Callable[[Board, Words], int]:
    """Return the compiled measure, for Python to call."""
    lead, unpack = _measure_of(game, measure), packing_of(game).unpack

    @kernel
    def lead_of(board: Board, words: Words) -> int:
        return lead(board, unpack(words))

    return compiled_for(game, lead_of)


@cache
def _prove(game: Game, measure: str) -> Prove:
    """Return the compiled search. The opponent is to move at its root, so that the solver moves at odd plies.

    It is a loop like that of perft. `counts` are the unplayed moves of each ply; `verdict` is that of the node which
    has just been finished.
    """
    kernels = game.rules.kernels
    generate_moves, make_move, outcome = kernels.generate_moves, kernels.make_move, kernels.outcome
    lead = _measure_of(game, measure)
    packing = packing_of(game)
    unpack_row, pack_row, width = packing.unpack_row, packing.pack_row, game.rules.position_words

    @allocating_kernel
    def prove(
        board: Board,
        words: Words,
        plies: int,
        least_lead: int,
        ends_decide: bool,
        most_nodes: int,
        moves: MoveBuffer,
    ) -> int:
        positions = np.empty((plies + 1, width), dtype=np.uint64)
        counts = np.zeros(plies + 1, dtype=np.int64)
        ranks = np.zeros(4, dtype=np.int32)
        for index in range(width):
            positions[0, index] = words[index]
        ply, nodes, verdict, is_returning = 0, 0, 0, False
        while ply >= 0:
            is_solver = ply % 2 == 1
            if not is_returning:
                nodes += 1
                if nodes > most_nodes:
                    return -1
                position = unpack_row(positions, ply)
                counts[ply] = generate_moves(board, position, moves[ply])
                if counts[ply] == 0 and ends_decide:
                    outcome(board, position, ranks)
                    own, other = (ranks[0], ranks[1]) if is_solver else (ranks[1], ranks[0])
                    verdict = 1 if own < other else 0
                    is_returning = True
                    ply -= 1
                    continue
                if ply == plies or counts[ply] == 0:
                    ahead = lead(board, position)
                    verdict = 1 if (ahead if is_solver else -ahead) >= least_lead else 0
                    is_returning = True
                    ply -= 1
                    continue
            elif (verdict == 1) == is_solver or counts[ply] == 0:
                # Decided: by one move of the solver, by one reply of the opponent, or because all have been tried.
                ply -= 1
                continue
            counts[ply] -= 1
            after = make_move(board, unpack_row(positions, ply), read_move(moves[ply], counts[ply]))
            ply += 1
            pack_row(after, positions, ply)
            is_returning = False
        return verdict

    return compiled_for(game, prove)
