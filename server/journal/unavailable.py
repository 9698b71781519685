"""The refusal of a request because the database failed."""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from ..protocol import Code
from ..protocol.refusal import Refusal
from .store import StorageError

log = structlog.get_logger()


@contextmanager
def refusing_failures(
    event: str, action: str = "store this", advice: str = "please try again.", **context: object
) -> Iterator[None]:
    """Log a StorageError as `event` with its context, and refuse the request: "The server cannot store this now; ...".

    Raises: Refusal.
    """
    try:
        yield
    except StorageError as error:
        log.error(event, error=str(error), **context)
        raise Refusal(Code.UNAVAILABLE, f"The server cannot {action} now; {advice}") from None
