"""The eight playing strengths as data, and the move that an engine of one of them plays.

Not the search: `engine.analysis` does it. Imported by `engine.uci` and the server's bots.

A weak level sees less far, and misjudges what it sees by a noise drawn from position and seed, as a person would who
is sure of a wrong idea: it is never arbitrary. Levels 1 to 7 are bound by nodes, so that many of them cost little and
the same seed plays the same match; only level 8 takes time. The noise also gives every level its variety.

Only the strongest level looks endings up that have been solved: a weaker one that suddenly played them without a fault
would be no opponent to learn them from.
"""

from collections.abc import Callable, Iterable
from typing import NamedTuple

from engine.analysis import QUIESCENCE_PLIES, Analysis, Clock, Limits, Temper, analyse
from engine.game import EngineError, IllegalMoveError
from engine.games import find_game
from engine.state import State
from engine.table import Table, new_table
from engine.tablebase.probing import Tablebase


class Level(NamedTuple):
    """What bounds a level."""

    depth: int | None
    nodes: int | None
    movetime_ms: int | None
    noise: int
    """In hundredths of a man, either way."""
    quiescence: int
    """Plies of takings followed below the depth."""
    table_megabytes: int


LEVELS = {
    # Sees its own mill but not the answer to it: two plies away everything is lost on it.
    1: Level(1, None, None, 70, 0, 1),
    2: Level(2, None, None, 45, 0, 1),
    3: Level(3, 500, None, 30, 2, 1),
    4: Level(None, 2_000, None, 20, QUIESCENCE_PLIES, 1),
    5: Level(None, 10_000, None, 12, QUIESCENCE_PLIES, 1),
    6: Level(None, 50_000, None, 6, QUIESCENCE_PLIES, 2),
    7: Level(None, 300_000, None, 3, QUIESCENCE_PLIES, 8),
    8: Level(None, None, 1_000, 2, QUIESCENCE_PLIES, 32),
}

STRONGEST_LEVEL = max(LEVELS)


def choose_move(
    game_name: str,
    setup: str,
    moves: Iterable[str],
    level: int,
    seed: int,
    clock: Clock,
    movetime_ms: float | None = None,
    tablebase: Tablebase | None = None,
) -> str:
    """Return the text of the move that a level plays after `moves` from a set-up.

    `movetime_ms` replaces the time of the strongest level and bounds that of the others; `tablebase` is for the
    strongest. Raises: EngineError if there is no such game, level, set-up or match, or play is over.
    """
    state = State.from_moves(find_game(game_name), setup, moves)
    best_move = analyse_at_level(state, level, seed, clock, movetime_ms, tablebase).best_move
    if best_move is None:
        raise IllegalMoveError("The match is over; there is no move to choose.")
    return best_move


def analyse_at_level(
    state: State,
    level: int,
    seed: int,
    clock: Clock,
    movetime_ms: float | None = None,
    tablebase: Tablebase | None = None,
    should_stop: Callable[[], bool] | None = None,
    table: Table | None = None,
) -> Analysis:
    """Search as a level does; `should_stop` and `table` are those of `analyse`.

    Raises: EngineError if there is no such level.
    """
    if level not in LEVELS:
        raise EngineError(f"There is no level {level}; levels are 1 to {STRONGEST_LEVEL}.")
    bounds = LEVELS[level]
    return analyse(
        state,
        Limits(bounds.depth, bounds.nodes, movetime_ms or bounds.movetime_ms),
        clock,
        should_stop=should_stop,
        table=table or new_table(bounds.table_megabytes),
        temper=Temper(bounds.noise, spread_seed(seed), bounds.quiescence),
        tablebase=tablebase if level == STRONGEST_LEVEL else None,
    )


def spread_seed(seed: int) -> int:
    """Return a seed whose 63 bits all depend on a small number."""
    return (seed + 1) * 0x9E3779B97F4A7C15 % (1 << 63)
