"""The functions that run in a worker's process. They load the engine inside that process, never in the server's."""

import time
from collections.abc import Callable
from ctypes import c_double
from typing import TypeVar, cast

from ..runtime.child_process import end_only_with_parent
from .requests import BotRequest, EngineFolders, RequestHandler

Answer = TypeVar("Answer")
RequestMethod = Callable[[RequestHandler, BotRequest], Answer]
"""A method of `RequestHandler`, such as `RequestHandler.choose`."""

_searcher: RequestHandler | None = None


def initialize(end_at: c_double, folders: EngineFolders | None) -> None:
    """Create this process's searcher, whose searches end when `time.monotonic` reaches the shared value `end_at`."""
    global _searcher  # noqa: PLW0603  # created once, before the first request
    from .searcher import Searcher  # noqa: PLC0415

    end_only_with_parent()
    _searcher = Searcher(lambda: time.monotonic() >= end_at.value, folders)


def initialize_interpreted(end_at: c_double, folders: EngineFolders | None) -> None:
    """Create a searcher that compiles nothing: it interprets the engine, which this process has not loaded yet."""
    from millrace.engine.interpretation import interpret_engine  # noqa: PLC0415

    interpret_engine()
    initialize(end_at, folders)


def is_running(_: None) -> bool:
    """Return True: the process answers."""
    return True


def load(game: str) -> bool:
    """Load a game's search from the kernel cache, and return whether it was complete. Raises: GameFaultError."""
    from millrace.engine.games import find_game  # noqa: PLC0415
    from millrace.engine.levels.warm_up import is_search_loaded  # noqa: PLC0415

    return is_search_loaded(find_game(game))


def compile_here(game: str) -> None:
    """Compile a game's search in this process. Raises: GameFaultError."""
    from millrace.engine.games import find_game  # noqa: PLC0415
    from millrace.engine.levels.warm_up import faults_of, warm_up_search  # noqa: PLC0415

    with faults_of(find_game(game)):
        warm_up_search(find_game(game))


def answer_request(method_name: str, request: BotRequest) -> object:
    """Answer a request by a method of this process's searcher. Raises: EngineError for an invalid request."""
    assert _searcher is not None
    return cast("Callable[[BotRequest], object]", getattr(_searcher, method_name))(request)
