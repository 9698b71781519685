"""The functions that the server has its bots' processes call, by name.

They are doors only: what is behind them is `server.bots.worker_process`, which is loaded in those processes and which
the server must never load.
"""

import sys
import time
from ctypes import c_double

from .requests import BotRequest, Findings, Knowledge, SolvedEnding


def initialize(end_at: c_double, knowledge: Knowledge | None) -> None:
    """Prepare a process; its searches end when `time.monotonic` has come to the moment in a shared cell."""
    from ..child_process import end_with_parent  # noqa: PLC0415
    from .worker_process import take_up  # noqa: PLC0415

    end_with_parent()
    take_up(lambda: time.monotonic() >= end_at.value, knowledge)


def are_loaded(modules: list[str]) -> bool:
    """Return whether the process has these modules."""
    return all(module in sys.modules for module in modules)


def choose(request: BotRequest) -> str:
    """Return the text of the move to play. Raises: EngineError for a request that makes no sense."""
    from .worker_process import mind  # noqa: PLC0415

    return mind().choose(request)


def evaluate(request: BotRequest) -> int:
    """Return what a position is worth to the seat to move. Raises: EngineError for a request that makes no sense."""
    from .worker_process import mind  # noqa: PLC0415

    return mind().evaluate(request)


def analyse(request: BotRequest) -> Findings:
    """Return what is found of a position. Raises: EngineError for a request that makes no sense."""
    from .worker_process import mind  # noqa: PLC0415

    return mind().analyse(request)


def look_up(request: BotRequest) -> SolvedEnding:
    """Return what solved endings tell. Raises: EngineError for a request that makes no sense."""
    from .worker_process import mind  # noqa: PLC0415

    return mind().look_up(request)


def ponder(request: BotRequest) -> None:
    """Think ahead while the opponent is to move. Raises: EngineError for a request that makes no sense."""
    from .worker_process import mind  # noqa: PLC0415

    mind().ponder(request)
