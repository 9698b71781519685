"""The desk for notices: who is told theirs, what was read, and which kinds somebody wants."""

from typing import get_args

from ..identity.caller import Caller
from ..identity.presence import PlayerSession
from ..journal.unavailable import refusing_failures
from ..protocol import (
    Code,
    Done,
    GetNotificationKinds,
    IdentityId,
    MarkNotificationsRead,
    NotificationCommand,
    NotificationKinds,
    Player,
    SetNotificationKinds,
    WatchNotifications,
)
from ..protocol.refusal import Refusal
from .inbox import Inbox
from .preferences import NotificationPreferences


class NotificationHandler:
    """What sessions ask for about notices."""

    commands = get_args(NotificationCommand)

    def __init__(self, preferences: NotificationPreferences, inbox: Inbox) -> None:
        self._preferences = preferences
        self._inbox = inbox

    async def handle(self, command: NotificationCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        with refusing_failures("notices not stored", "do this"):
            await self._handle(command, caller)

    def leave(self, caller: PlayerSession) -> None:
        """Tell a connection, which is over, nothing more."""
        self._inbox.unwatch(caller)

    async def forget(self, identity: IdentityId, _nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted. Raises: StorageError."""
        await self._inbox.forget(identity)
        self._preferences.forget(identity)

    async def _handle(self, command: NotificationCommand, caller: Caller) -> None:
        match command:
            case WatchNotifications(on=True):
                await self._inbox.watch(caller)
            case WatchNotifications():
                self._inbox.unwatch(caller)
            case MarkNotificationsRead(id_, subject):
                await self._inbox.read(caller.identity, subject)
                caller.send(Done(id_))
            case GetNotificationKinds(id_):
                caller.send(NotificationKinds(id_, tuple(sorted(self._preferences.by(caller.identity)))))
            case SetNotificationKinds(id_, kinds):
                if not caller.authentication.player.registered:
                    raise Refusal(Code.ACCOUNT_NEEDED, "This needs an account; make one or sign in first.")
                await self._preferences.choose(caller.identity, kinds)
                caller.send(Done(id_))
