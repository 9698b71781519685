"""The desk for notices: who is told theirs, what was read, and which kinds somebody wants."""

from typing import get_args

from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.unavailable import refusing_failures
from ..protocol import (
    Code,
    Done,
    GetNoticeKinds,
    IdentityId,
    NoticeCommand,
    NoticeKinds,
    Player,
    ReadNotices,
    SetNoticeKinds,
    WatchNotices,
)
from ..protocol.refusal import Refusal
from .inbox import NoticeBook
from .preferences import Wanted


class NoticeDesk:
    """What sessions ask for about notices."""

    commands = get_args(NoticeCommand)

    def __init__(self, wanted: Wanted, book: NoticeBook) -> None:
        self._wanted = wanted
        self._book = book

    async def handle(self, command: NoticeCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        with refusing_failures("notices not stored", "do this"):
            await self._handle(command, caller)

    def leave(self, caller: PlayerSession) -> None:
        """Tell a connection, which is over, nothing more."""
        self._book.unwatch(caller)

    async def forget(self, identity: IdentityId, _nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted. Raises: StorageError."""
        await self._book.forget(identity)
        self._wanted.forget(identity)

    async def _handle(self, command: NoticeCommand, caller: Caller) -> None:
        match command:
            case WatchNotices(on=True):
                await self._book.watch(caller)
            case WatchNotices():
                self._book.unwatch(caller)
            case ReadNotices(id_, subject):
                await self._book.read(caller.identity, subject)
                caller.send(Done(id_))
            case GetNoticeKinds(id_):
                caller.send(NoticeKinds(id_, tuple(sorted(self._wanted.by(caller.identity)))))
            case SetNoticeKinds(id_, kinds):
                if not caller.authentication.player.registered:
                    raise Refusal(Code.ACCOUNT_NEEDED, "This needs an account; make one or sign in first.")
                await self._wanted.choose(caller.identity, kinds)
                caller.send(Done(id_))
