"""The dispatcher's interface to a worker, in a process of this machine or on another one."""

from typing import Protocol

from .requests import BotRequest


class WorkerError(Exception):
    """The worker died or did not answer in time. The request is repeated."""


class WorkerStartError(WorkerError):
    """The worker's process cannot be started. The message says why."""


class SearchWorker(Protocol):
    """A worker, which takes one request at a time."""

    def end_at(self, moment: float) -> None:
        """End the running search, or else the next one, at a time of `time.monotonic`, with the best move found."""

    async def search(self, method_name: str, request: BotRequest, seconds: float) -> object:
        """Answer a request by a method of `RequestHandler` that takes `seconds`.

        Raises: WorkerError, and errors of the search.
        """


def is_overdue(now: float, began_at: float, seconds: float, end_at: float, answer_seconds: float) -> bool:
    """Return whether a worker has not answered `answer_seconds` after its search should have ended.

    The search should have ended after `seconds`, or at `end_at` if that is earlier.
    """
    return now > max(began_at, min(began_at + seconds, end_at)) + answer_seconds
