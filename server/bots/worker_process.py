"""What the bots' processes have loaded: their mind, and an end tied to the server's.

Importing it changes the process, so only the fork server and the processes of `server.bots.worker` import it.
"""

from collections.abc import Callable

from ..child_process import end_with_parent
from .requests import Knowledge
from .searcher import Mind

_mind: Mind | None = None


def take_up(should_stop: Callable[[], bool], knowledge: Knowledge | None) -> None:
    """Begin to think: end searches when told to, with what the folders hold."""
    global _mind  # noqa: PLW0603  # a process has one mind, which it is given as it starts
    _mind = Mind(should_stop, knowledge)


def mind() -> Mind:
    """Return this process's mind."""
    assert _mind is not None
    return _mind


end_with_parent()
