"""Loaded by the fork server before it forks workers: the searcher, and the compiled kernels.

Only the fork server may import it, because it changes the process: it then ends with the server, and only then. Faults
of a game's code are reported by the workers, which load each game again.
"""

from ..runtime.child_process import end_only_with_parent

end_only_with_parent()  # first, since loading takes long

# ruff: noqa: E402
import os
from collections.abc import Callable
from contextlib import suppress

from millrace.engine.faults import GameFaultError
from millrace.engine.games import GAMES
from millrace.engine.levels.warm_up import is_search_loaded

from ..runtime.standard_streams import log_to_stderr
from . import searcher  # noqa: F401  # workers inherit the loaded engine


def fork(system_fork: Callable[[], int] = os.fork) -> int:
    """Fork, or end without a word where the system allows no further process: the server notices and says so."""
    try:
        return system_fork()
    except OSError:
        os._exit(1)


os.fork = fork
log_to_stderr()
for game in GAMES.values():
    with suppress(GameFaultError):
        is_search_loaded(game)
