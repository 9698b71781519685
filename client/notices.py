"""Notices: what has happened that concerns this player, kept by the server until it was seen.

`Connection.notices` is one of these.
"""

from collections.abc import AsyncGenerator, Callable, Iterable
from contextlib import aclosing

from millrace.server.protocol import (
    Done,
    GetNoticeKinds,
    Message,
    Notice,
    Noticed,
    NoticeKind,
    NoticeKinds,
    Notices,
    ReadNotices,
    SetNoticeKinds,
    WatchNotices,
)

from .asking import Requests, new_id
from .errors import ClientError
from .lists import FollowedLists


class NoticesClient:
    """What a connection asks and hears of notices. Every method raises RefusedError and ConnectionLostError."""

    hears = (Notices, Noticed)

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        self._ask = requests.ask
        self._list = FollowedLists(post, WatchNotices(), WatchNotices(on=False), Notices)
        self._latest = Notices(())

    async def follow(self) -> AsyncGenerator[tuple[Notice, ...], None]:
        """Yield the notices, the latest first, now and whenever there are others; a slow reader gets the
        latest list only."""
        async with aclosing(self._list.read(Notices)) as lists:
            async for told in lists:
                yield told.notices

    async def read(self, subject: str | None = None) -> None:
        """Note that the notices have been seen, all or those about a match or player."""
        await self._ask(ReadNotices(new_id(), subject), Done)

    async def kinds(self) -> tuple[NoticeKind, ...]:
        """Return which kinds of notices this player gets."""
        return (await self._ask(GetNoticeKinds(new_id()), NoticeKinds)).kinds

    async def set_kinds(self, kinds: Iterable[NoticeKind]) -> None:
        """Choose which kinds of notices one gets; for the owner of an account."""
        await self._ask(SetNoticeKinds(new_id(), tuple(kinds)), Done)

    # For the connection

    def receive(self, message: Notices | Noticed) -> None:
        """Take the list, or a notice in place of the one of its kind about the same."""
        if isinstance(message, Noticed):
            new = message.notice
            others = (each for each in self._latest.notices if (each.kind, each.subject) != (new.kind, new.subject))
            message = Notices((new, *others))
        self._latest = message
        self._list.receive(message)

    def resume(self) -> None:
        """Ask for the notices on a new socket, if somebody reads them."""
        self._list.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._list.fail(error)
