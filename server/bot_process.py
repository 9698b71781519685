"""What runs in the bots' processes: the search, and an end tied to the server's.

Importing it changes the process, so only processes of `server.bots` import it.
"""

import ctypes
import signal
import sys
import time

from engine.levels import choose_move, value_at_level
from server.bots import BotRequest

_PR_SET_PDEATHSIG = 1
"""From <sys/prctl.h>."""


def end_with_parent() -> None:
    """Have this process killed when the one that started it dies, however that happens.

    On systems other than Linux a process of the pool ends once it is idle and finds its pipe to the server closed.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


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
    )


def evaluate(request: BotRequest) -> int:
    """Return what a position is worth to the seat to move. Raises: EngineError for a request that makes no sense."""
    return value_at_level(
        request.game, request.setup, request.moves, request.level, request.seed, time.perf_counter, request.movetime_ms
    )


end_with_parent()
