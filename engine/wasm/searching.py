"""The exports that search, as kernels: `engine.search.deepening_kernel` with the histories of one match."""

from collections.abc import Callable
from typing import Any

from numpy.typing import NDArray

from ..bindings import packing_of
from ..bits import kernel
from ..game import Game
from ..search import MAX_DEPTH, make_line_keys, value_of_ranks
from ..search.deepening_kernel import FOUND_VALUE, IS_OVER, MAX_NODES, MAX_PLIES, Run, make_deepening
from ..search.histories import age_history
from ..search.tree import (
    GENERATION,
    NOISE,
    OPPONENTS,
    OVERSIGHTS,
    PAST,
    QUIESCENCE,
    QUIET,
    REVERSIBLE,
    ROOT_MOVES,
    SEATS,
    SEED,
    Tree,
)
from ..transposition_table import GENERATIONS
from .arrays import (
    CANDIDATES,
    FIRST_SEAT,
    HISTORY_SEAT,
    IS_ASIDE,
    MAX_DEPTH_ASKED,
    MAX_NODES_ASKED,
    NEXT_GENERATION,
    NOISE_ASKED,
    OVERSIGHTS_ASKED,
    PLY,
    QUIESCENCE_ASKED,
    SEATS_PLAYING,
    SEED_ASKED,
    TABLE_AT,
    TABLE_ENTRIES,
    Views,
)
from .rules import GOES_ON, Functions
from .views import rows_of


def make_searching(game: Game, views: Views, rules: Functions) -> Functions:
    """Return the functions that search the position."""
    deepen, outcome, entries_at = make_deepening(game), rules["outcome"], rows_of("uint64", 2)
    fields, board, ranks, run, tree = views.fields, views.board, views.ranks, views.run, views.tree
    prepare_histories, write_root = _prepare_histories(views), _write_root(game, views, rules["legal_moves"])

    @kernel
    def forget() -> int:
        """Clear the transposition table and the histories: another match begins."""
        _clear(entries_at(fields()[TABLE_AT], fields()[TABLE_ENTRIES]))
        fields()[NEXT_GENERATION], fields()[HISTORY_SEAT] = 0, -1
        return 0

    @kernel
    def begin_search(is_aside: int) -> int:
        """Begin a search of the position. One aside borrows the histories, and leaves them as they were."""
        prepare_histories(is_aside == 1)
        _clear_tree(tree())
        _clear_run(run())
        facts, seats = run().facts, fields()[SEATS_PLAYING]
        facts[MAX_PLIES] = 2 * MAX_DEPTH // seats
        if fields()[MAX_DEPTH_ASKED] > 0:
            facts[MAX_PLIES] = min(facts[MAX_PLIES], fields()[MAX_DEPTH_ASKED])
        facts[MAX_NODES] = fields()[MAX_NODES_ASKED]
        if outcome() == GOES_ON:
            write_root()
        else:
            facts[IS_OVER] = 1
            facts[FOUND_VALUE] = value_of_ranks(ranks(), (fields()[FIRST_SEAT] + fields()[PLY]) % seats, seats, 0)
        return 0

    @kernel
    def search(nodes: int) -> int:
        """Search on for so many nodes, at most to the end of an iteration, and return whether the search has ended."""
        entries = entries_at(fields()[TABLE_AT], fields()[TABLE_ENTRIES])
        return int(deepen(board(), (), tree(), entries, run(), nodes))

    return {each.__name__: each for each in (forget, begin_search, search)}


def _prepare_histories(views: Views) -> Callable[[bool], None]:
    fields, tree = views.fields, views.tree
    lent_history, lent_corrections = views.lent_history, views.lent_corrections

    @kernel
    def prepare_histories(is_aside: bool) -> None:
        """Take up the histories of the search before, in a copy if they are borrowed."""
        ply, seats = fields()[PLY], fields()[SEATS_PLAYING]
        seat = (fields()[FIRST_SEAT] + ply) % seats
        history, corrections = tree().history, tree().corrections
        if fields()[IS_ASIDE] == 1:
            _copy(lent_history(), history)
            _copy(lent_corrections(), corrections)
        fields()[IS_ASIDE] = int(is_aside)
        if fields()[HISTORY_SEAT] < 0:
            _clear(history)
            _clear(corrections)
        if is_aside:
            _copy(history, lent_history())
            _copy(corrections, lent_corrections())
        if fields()[HISTORY_SEAT] >= 0:
            age_history(history, fields()[HISTORY_SEAT], seat, seats)
        if not is_aside:
            fields()[HISTORY_SEAT] = seat
            fields()[NEXT_GENERATION] = (fields()[NEXT_GENERATION] + 1) % GENERATIONS

    return prepare_histories


def _write_root(game: Game, views: Views, legal_moves: Callable[[], int]) -> Callable[[], None]:
    unpack_row, pack_row, write_line_keys = packing_of(game).unpack_row, packing_of(game).pack_row, make_line_keys(game)
    fields, line, past, quiet_plies = views.fields, views.line, views.past, views.quiet_plies
    moves, candidates, run, tree = views.moves, views.candidates, views.run, views.tree

    @kernel
    def write_root() -> None:
        """Set up the tree for the position, its past, and what is asked."""
        ply, seats, counters = fields()[PLY], fields()[SEATS_PLAYING], tree().counters
        known = past()[ply]
        write_line_keys(line(), ply - known, known + 1, tree().keys, tree().seen)
        pack_row(unpack_row(line(), ply), tree().words, 0)
        counters[PAST], counters[ROOT_MOVES] = known, legal_moves()
        for index in range(counters[ROOT_MOVES]):
            tree().root_moves[index] = moves()[index]
        if fields()[CANDIDATES] > 0:
            counters[ROOT_MOVES] = fields()[CANDIDATES]
            for index in range(fields()[CANDIDATES]):
                tree().root_moves[index] = candidates()[index]
        counters[SEATS], counters[OPPONENTS] = seats, 1
        counters[NOISE], counters[SEED] = fields()[NOISE_ASKED], fields()[SEED_ASKED]
        counters[QUIESCENCE], counters[OVERSIGHTS] = fields()[QUIESCENCE_ASKED], fields()[OVERSIGHTS_ASKED]
        counters[GENERATION] = fields()[NEXT_GENERATION]
        tree().frames[0, QUIET], tree().frames[0, REVERSIBLE] = quiet_plies()[ply], known
        for slot in range(tree().seen.shape[0]):
            run().seen_at_root[slot] = tree().seen[slot]

    return write_root


@kernel
def _clear_tree(tree: Tree) -> None:
    """Clear what a search does not write before it reads it, but its histories."""
    _clear_numbers(tree.counters)
    _clear_numbers(tree.lengths)
    _clear_numbers(tree.seen)
    _clear(tree.frames)
    _clear(tree.killers)
    _clear(tree.variations)


@kernel
def _clear_run(run: Run) -> None:
    _clear_numbers(run.facts)
    _clear_numbers(run.variation)
    _clear_numbers(run.window)


@kernel
def _clear_numbers(numbers: NDArray[Any]) -> None:
    for index in range(numbers.shape[0]):
        numbers[index] = 0


@kernel
def _clear(rows: NDArray[Any]) -> None:
    for row in range(rows.shape[0]):
        for column in range(rows.shape[1]):
            rows[row, column] = 0


@kernel
def _copy(source: NDArray[Any], target: NDArray[Any]) -> None:
    for row in range(source.shape[0]):
        for column in range(source.shape[1]):
            target[row, column] = source[row, column]
