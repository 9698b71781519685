"""The functions that a worker's process runs. They load the engine inside that process, never in the server's."""

import sys
import time
from collections.abc import Callable
from ctypes import c_double
from typing import TypeVar, cast

from ..child_process import end_with_parent
from .requests import BotRequest, EngineFolders, RequestHandler

Answer = TypeVar("Answer")
RequestMethod = Callable[[RequestHandler, BotRequest], Answer]
"""A method of `RequestHandler`, such as `RequestHandler.choose`."""

_searcher: RequestHandler | None = None


def initialize(end_at: c_double, folders: EngineFolders | None) -> None:
    """Create this process's searcher, whose searches end when `time.monotonic` reaches the shared value `end_at`."""
    global _searcher  # noqa: PLW0603  # created once, before the first request
    from .searcher import Searcher  # noqa: PLC0415

    end_with_parent()
    _searcher = Searcher(lambda: time.monotonic() >= end_at.value, folders)


def are_loaded(modules: list[str]) -> bool:
    """Return whether this process has loaded all of these modules."""
    return all(module in sys.modules for module in modules)


def answer_request(method_name: str, request: BotRequest) -> object:
    """Answer a request by a method of this process's searcher. Raises: EngineError for an invalid request."""
    assert _searcher is not None
    return cast("Callable[[BotRequest], object]", getattr(_searcher, method_name))(request)
