"""The move that a level plays, given texts and numbers, for tests of levels."""

from collections.abc import Iterable

from millrace.engine.game import IllegalMoveError
from millrace.engine.games import find_game
from millrace.engine.levels.play import analyse_at_level
from millrace.engine.search import Clock
from millrace.engine.state import State
from millrace.engine.tablebase.probing import Tablebase


def choose_move(
    game_name: str,
    setup: str,
    moves: Iterable[str],
    level: int | str,
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
