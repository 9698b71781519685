"""Matches of the engine against itself, and the features of the positions that its searches ended in.

Each match begins with random moves, so that no two are alike, and continues with searches of a fixed number of nodes.
Each search gives one sample: the position at the end of its principal variation, where captures are resolved and which
the evaluation had to judge (as in TDLeaf; Baxter, Tridgell and Weaver, 1998), with the result of the match.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..bindings import packing_of
from ..bits import kernel
from ..game import Board, EvaluationTerms, Game, Outcome, Words
from ..search import Analysis, Limits, analyse, no_clock
from ..state import State
from ..transposition_table import PROVEN, new_table
from ..weights import evaluation_terms_of

RandomBelow: TypeAlias = Callable[[int], int]
"""Returns a random number from 0 to less than its argument."""

ONE = 1 << 16
"""The factor of unit weights when a position's features are computed, since a phase may have a small share in it."""

TABLE_MEGABYTES = 1
MAX_PLIES = 160
"""A match that lasts longer ends by adjudication, or as a draw."""

DECIDED = 800
DECIDED_PLIES = 4
"""A match counts as won when this many searches in a row have found this lead for the same side, in hundredths of a
man: decided matches teach little and are long."""

SETTLED_PLIES = 24
SETTLED_SPREAD = 40
"""A match is adjudicated, where the rules allow it, when this many consecutive searches found values within this
spread.
"""

SEED_LIMIT = 10**9


class TrainingMatch(NamedTuple):
    """The samples of a match: the values of its searches, and the positions that they ended in."""

    counts: NDArray[np.float32]
    """The feature of each position for each weight, by phase and then by term, from its mover's view: evaluation =
    counts @ weights. Shape `(positions, phases * terms)`."""
    movers: NDArray[np.int64]
    """The seat to move in each position."""
    searches: NDArray[np.int64]
    """The search that each position is from, as an index of `leads`."""
    leads: NDArray[np.float64]
    """The value of each search of the match, from seat 0's view."""
    result: float
    """The result for seat 0: 1 won, 0.5 drawn, 0 lost."""
    phases: NDArray[np.int8]
    """The pattern phase of each position."""
    columns: NDArray[np.int32]
    """The columns of its patterns: shape `(positions, sites)`; no sites where a game has no patterns."""


class SelfPlaySettings(NamedTuple):
    """The settings of self-play."""

    nodes: int
    """Nodes of each search."""
    random_plies: int
    """Maximum number of random moves at the beginning; at least half as many are made."""


def play_match(game: Game, playing: SelfPlaySettings, random_below: RandomBelow) -> TrainingMatch:
    """Play a match of two seats and return its samples. Raises: WeightsError if the game has no weights."""
    state = begin_match(game, playing.random_plies, random_below)
    table = new_table(TABLE_MEGABYTES)
    ends, searches, leads = list[State](), list[int](), list[int]()
    while state.outcome is None and state.ply < MAX_PLIES and leader_of(leads) is None:
        if is_settled(leads) and state.adjudication is not None:
            break
        found = analyse(state, Limits(nodes=playing.nodes), no_clock, table=table)
        end = end_of_variation(state, found)
        if abs(found.value) < PROVEN and end.outcome is None:
            ends.append(end)
            searches.append(len(leads))
        leads.append(found.value if state.seat == 0 else -found.value)
        state = state.play_text(found.principal_variation[0])
    leader = leader_of(leads)
    return TrainingMatch(
        count_positions(game, ends),
        np.array([end.seat for end in ends], dtype=np.int64),
        np.array(searches, dtype=np.int64),
        np.array(leads, dtype=np.float64),
        result_for(leader if leader is not None else winner_of(state.adjudication), 0),
        *find_patterns(game, ends),
    )


def begin_match(game: Game, random_plies: int, random_below: RandomBelow) -> State:
    """Return a match of two seats after some random moves."""
    setups = [start.setup for start in game.starts if "{seed}" in start.setup and start.seats == 2]
    setup = setups[random_below(len(setups))].format(seed=random_below(SEED_LIMIT)) if setups else ""
    state = State.of(game, setup)
    for _ in range(random_plies - random_below(random_plies // 2 + 1)):
        if state.outcome is None:
            state = state.play(state.legal_moves[random_below(len(state.legal_moves))])
    return state


def end_of_variation(state: State, found: Analysis) -> State:
    """Return the state at the end of a principal variation."""
    for text in found.principal_variation:
        state = state.after(state.parse_move(text))
    return state


def leader_of(leads: list[int]) -> int | None:
    """Return the seat that the last searches all found winning, or None. `leads` are from seat 0's view."""
    last = leads[-DECIDED_PLIES:]
    if len(last) < DECIDED_PLIES or min(abs(lead) for lead in last) < DECIDED:
        return None
    winners = {0 if lead > 0 else 1 for lead in last}
    return winners.pop() if len(winners) == 1 else None


def is_settled(leads: list[int]) -> bool:
    """Return whether the last searches found about the same value."""
    last = leads[-SETTLED_PLIES:]
    return len(last) == SETTLED_PLIES and max(last) - min(last) <= SETTLED_SPREAD


def winner_of(outcome: Outcome | None) -> int | None:
    """Return the only winner, or None, also for a match that did not end."""
    return outcome.winner if outcome is not None else None


def result_for(winner: int | None, seat: int) -> float:
    """Return 1 for a win of the seat, 0 for a loss, 0.5 for a draw."""
    return 0.5 if winner is None else float(winner == seat)


def count_positions(game: Game, states: list[State]) -> NDArray[np.float32]:
    """Return `TrainingMatch.counts` for these states. Raises: WeightsError."""
    units = unit_tables(evaluation_terms_of(game))
    counts = np.zeros((len(states), len(units)), dtype=np.float32)
    write_counts = _counting_of(game)
    for index, state in enumerate(states):
        write_counts(state.start.board, state.words, units, counts[index])
    return counts


def find_patterns(game: Game, states: list[State]) -> tuple[NDArray[np.int8], NDArray[np.int32]]:
    """Return `TrainingMatch.phases` and `TrainingMatch.columns` for these states. Raises: WeightsError."""
    patterns = evaluation_terms_of(game).patterns
    if patterns is None:
        return np.zeros(len(states), dtype=np.int8), np.zeros((len(states), 0), dtype=np.int32)
    unpack = packing_of(game).unpack
    seen = [(state.start.board, unpack(state.words)) for state in states]
    columns = [patterns.columns_of(board, position) for board, position in seen]
    phases = np.array([patterns.phase_of(board, position) for board, position in seen], dtype=np.int8)
    return phases, np.array(columns, dtype=np.int32).reshape(len(states), -1)


def unit_tables(terms: EvaluationTerms) -> NDArray[np.int64]:
    """Return, for each weight by phase and then by term, the table in which only that weight is `ONE` and all others
    are 0."""
    shares, count = terms.shares, len(terms.terms)
    units = np.zeros((shares.shape[1] * count, shares.shape[0], count), dtype=np.int64)
    for weight, unit in enumerate(units):
        phase, term = divmod(weight, count)
        unit[:, term] = np.rint(shares[:, phase] * ONE)
    return units


@cache
def _counting_of(game: Game) -> Callable[[Board, Words, NDArray[np.int64], NDArray[np.float32]], None]:
    """Return the compiled function that evaluates a position by each unit table: since the evaluation is linear in the
    weights, the results are the features that the weights are multiplied by."""
    weigh, unpack = evaluation_terms_of(game).weigh, packing_of(game).unpack

    @kernel
    def write_counts(board: Board, words: Words, units: NDArray[np.int64], counts: NDArray[np.float32]) -> None:
        position = unpack(words)
        for weight in range(len(units)):
            counts[weight] = weigh(board, position, 0, units[weight]) / ONE

    return write_counts
