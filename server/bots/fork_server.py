"""Loaded by the fork server before it forks workers: the searcher, and the compiled kernels.

Only the fork server may import it, because it changes the process: it then ends together with the server.
"""

from millrace.engine.games import GAMES
from millrace.engine.warm_up import is_search_loaded

from ..runtime.child_process import end_with_parent
from . import searcher  # noqa: F401  # workers inherit the loaded engine

end_with_parent()
for game in GAMES.values():
    is_search_loaded(game)
