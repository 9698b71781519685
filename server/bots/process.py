"""What runs in the bots' processes: the search, and an end tied to the server's.

Importing it changes the process, so only processes of `server.bots.pool` import it.
"""

import time
from pathlib import Path

from engine.levels import STRONGEST_LEVEL, choose_move, value_at_level
from server.bots.pool import BotRequest
from server.endings.files import Shelf
from server.parent import end_with_parent

_at_hand: Shelf | None = None
"""The solved endings of the server's data folder."""


def use_endings(folder: Path) -> None:
    """Look solved endings up in a folder from now on, as far as they are there."""
    global _at_hand  # noqa: PLW0603  # a process has one folder, which it is told as it starts
    _at_hand = Shelf(folder)


def choose(request: BotRequest) -> str:
    """Return the text of the move to play. Raises: EngineError for a request that makes no sense."""
    return choose_move(
        request.game,
        request.setup,
        request.moves,
        request.level,
        request.seed,
        time.perf_counter,
        request.movetime_ms,
        _at_hand.tablebase(request.game) if _at_hand is not None and request.level == STRONGEST_LEVEL else None,
    )


def evaluate(request: BotRequest) -> int:
    """Return what a position is worth to the seat to move. Raises: EngineError for a request that makes no sense."""
    return value_at_level(
        request.game, request.setup, request.moves, request.level, request.seed, time.perf_counter, request.movetime_ms
    )


end_with_parent()
