"""A Dask worker's slots, one per concurrent search, each with a thread and a searcher.

Searches release Python's lock, so the worker's event loop keeps answering.
"""

import asyncio
import time
from collections import OrderedDict
from concurrent.futures import ThreadPoolExecutor
from math import inf
from typing import TYPE_CHECKING, Any

import structlog

from millrace.engine.games import GAMES
from millrace.engine.levels.warm_up import warm_up_search

from ..requests import BotRequest, EngineFolders
from ..searcher import Searcher
from .messages import METHODS, VERSION, decode_request, encode
from .slot_counts import LONG, PROCESSORS, SHORT

if TYPE_CHECKING:
    from distributed import Worker

log = structlog.get_logger()

EARLY_ENDS_KEPT = 100
"""Maximum number of remembered ends of searches that have not started: the two messages use different connections."""


class _Slot:
    """A searcher and the thread in which it searches."""

    def __init__(self, folders: EngineFolders | None) -> None:
        self.search = ""
        """The running search."""
        self.end_at = inf
        """When the running search must end, by `time.monotonic`."""
        self.searcher = Searcher(lambda: time.monotonic() >= self.end_at, folders)
        self.thread = ThreadPoolExecutor(1, "search")


class SearchSlots:
    """The slots of a Dask worker, and the scheduler's handlers for them."""

    def __init__(self, folders: EngineFolders | None, long: int, short: int, processors: int) -> None:
        self._slots = [_Slot(folders) for _ in range(long + short)]
        self._description = {"version": VERSION, LONG: long, SHORT: short, PROCESSORS: processors}
        self._early_ends: OrderedDict[str, float] = OrderedDict()

    def load(self) -> None:
        """Load every game's search, opening book and tablebases; compile what is not in the cache."""
        for game in GAMES.values():
            try:
                warm_up_search(game)
            except Exception as error:  # a plug-in's code at fault, which other games survive
                log.error("a game has no bots", game=game.name, error=str(error))
        for slot in self._slots:
            slot.searcher.load_data()

    def attach(self, worker: "Worker") -> None:
        """Let the scheduler use the slots."""
        worker.handlers.update(millrace_describe=self.describe, millrace_search=self.search, millrace_end=self.end)

    async def describe(self) -> dict[str, int]:
        """Return the version of the messages and the number of slots."""
        return self._description

    async def search(self, search: str, slot: int, method: str, request: bytes, end_seconds: float) -> dict[str, Any]:
        """Answer a request in a slot, within `end_seconds`. Return the answer, or the name and text of an error."""
        place = self._slots[slot]
        now = time.monotonic()
        place.search, place.end_at = search, min(now + end_seconds, self._early_ends.pop(search, inf))
        try:
            answer = await asyncio.get_running_loop().run_in_executor(
                place.thread, _answer, place.searcher, method, decode_request(request)
            )
        except Exception as error:
            if not isinstance(error, ValueError):
                log.exception("search failed", method=method, **decode_request(request).ids)
            return {"error": type(error).__name__, "words": str(error)}
        return {"answer": encode(answer)}

    async def end(self, search: str, seconds: float) -> None:
        """End a search in some seconds, with the best move found by then.

        The earliest of several calls counts: each uses its own connection, so they arrive in any order.
        """
        moment = time.monotonic() + seconds
        for slot in self._slots:
            if slot.search == search:
                slot.end_at = min(slot.end_at, moment)
                return
        self._early_ends[search] = min(self._early_ends.get(search, inf), moment)
        if len(self._early_ends) > EARLY_ENDS_KEPT:
            self._early_ends.popitem(last=False)


def _answer(searcher: Searcher, method: str, request: BotRequest) -> object:
    return getattr(searcher, METHODS[method][0].__name__)(request)
