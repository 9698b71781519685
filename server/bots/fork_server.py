"""What the fork server loads before it forks workers: the searcher, and the kernels that are compiled already.

Importing this module changes the process, so only the fork server imports it. It then ends together with the server.
"""

from millrace.engine.games import GAMES
from millrace.engine.warm_up import is_search_loaded

from ..runtime.child_process import end_with_parent
from . import searcher  # noqa: F401  # workers inherit the loaded engine

end_with_parent()
for game in GAMES.values():
    is_search_loaded(game)
