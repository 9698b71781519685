"""Waiting for a text that is read in the background process."""

from collections.abc import Awaitable
from typing import TypeVar

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ..bots.search_workers import WorkerError

Result = TypeVar("Result")


async def read_in_background(reading: Awaitable[Result]) -> Result:
    """Return what has been read. Raises: Refusal if the process fails."""
    try:
        return await reading
    except WorkerError as error:
        if isinstance(error.__cause__, TimeoutError):
            raise Refusal(Code.BAD_RECORD, "Reading this text takes too long. Please upload it in parts.") from error
        raise Refusal(Code.UNAVAILABLE, "The server cannot do this right now; please try again.") from error
