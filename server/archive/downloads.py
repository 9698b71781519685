"""Downloads of many rows or matches: bounded by account and address, and read from the database in turns."""

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import AbstractAsyncContextManager
from http import HTTPStatus
from typing import TypeVar

from millrace.protocol import IdentityId

from ..callers.limit import Limit
from ..callers.limits import Hold, Limits
from ..callers.resources import error_response
from ..runtime.fair_turns import FairTurns

EXPORTS = Limit(
    name="exports",
    counts="downloads of many matches, or of an account's data, in progress",
    refusal="Too many downloads are in progress.",
    account=2,
    guests=3,
    address=4,
    everyone=128,
)
TOO_MANY = error_response(HTTPStatus.TOO_MANY_REQUESTS, f"{EXPORTS.refusal} Please try again.")
WRITERS = 2
"""Number of downloads that are read or written at a time, of addresses in turn; a slow client delays only itself."""

T = TypeVar("T")


class Downloads:
    """The downloads in progress."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._turns = FairTurns(WRITERS)

    def begin(self, address: str, account: IdentityId | None) -> Hold | None:
        """Count a download of an account, or of a visitor, until it is released; None if there are too many."""
        return self._limits.hold_at(EXPORTS, address, account)

    def turn(self, address: str, account: IdentityId | None) -> AbstractAsyncContextManager[None]:
        """Hold one of the turns."""
        return self._turns.of(address, account or "")

    async def in_turns(self, parts: AsyncIterator[T], address: str, account: IdentityId) -> AsyncGenerator[T, None]:
        """Yield parts, each of which is made in a turn."""
        while True:
            async with self.turn(address, account):
                part = await anext(parts, None)
            if part is None:
                return
            yield part
