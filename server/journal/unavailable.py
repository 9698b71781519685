"""A database that fails, as those are told who have asked for something.

Whatever is decided without one raises no such failure.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import structlog

from ..protocol import Code
from ..protocol.refusal import Refusal
from .store import StorageError

log = structlog.get_logger()


@contextmanager
def refusing_failures(event: str, action: str = "store this", **about: object) -> Iterator[None]:
    """Log a StorageError as an event, about something, and raise a Refusal that says what the server cannot do.

    Raises: Refusal.
    """
    try:
        yield
    except StorageError as error:
        log.error(event, error=str(error), **about)
        raise Refusal(Code.UNAVAILABLE, f"The server cannot {action} now; please try again.") from None
