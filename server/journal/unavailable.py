"""The refusal of a request because the database failed."""

from types import TracebackType

import structlog

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..storage.errors import StorageError, UnstorableError

log = structlog.get_logger()


class refusing_failures:  # noqa: N801  # read as a verb: `with refusing_failures(...)`
    """Log a StorageError as `event` with its context, and refuse the request: "The server cannot store this now; ...".

    A class rather than a generator: it is entered for every move, where a generator took 2% of the server's time.

    Raises: Refusal.
    """

    __slots__ = ("_action", "_advice", "_context", "_event")

    def __init__(
        self, event: str, action: str = "store this", advice: str = "please try again.", **context: object
    ) -> None:
        self._event = event
        self._action = action
        self._advice = advice
        self._context = context

    def __enter__(self) -> None:
        """Begin what may fail."""

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _traceback: TracebackType | None
    ) -> None:
        """Refuse the request if the database failed. Raises: Refusal."""
        if isinstance(error, StorageError):
            log.error(self._event, error=str(error), **self._context)
            raise refusal_of(error, f"The server cannot {self._action} now; {self._advice}") from None


def refusal_of(error: StorageError, message: str) -> Refusal:
    """Return the refusal of a request because of a failure; `message` is for one that may pass."""
    if isinstance(error, UnstorableError):
        return Refusal(Code.MALFORMED, "This has characters or numbers that cannot be stored.")
    return Refusal(Code.UNAVAILABLE, message)
