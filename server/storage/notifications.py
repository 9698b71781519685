"""Notices in a database: what `server.notifications.store.NoticeStore` promises.

No SQL here.
"""

from collections.abc import Sequence
from typing import cast

from ..journal.store import StorageError
from ..notifications.store import AddNotification, InboxChange
from ..protocol import IdentityId, MatchId, Notification, NotificationKind, Player
from .notification_statements import compile_notice_statements
from .writer import Database, Step


class DatabaseNotifications:
    """A `NotificationStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._statements = compile_notice_statements(database.dialect)

    async def change(self, changes: Sequence[InboxChange], most: int) -> None:
        """Store changes in order, all or none; of those to whom something is given the latest notices are kept, so
        many. One that is not later than what it would replace changes nothing. Raises: StorageError."""
        steps = [self._step(change) for change in changes]
        receivers = sorted({change.recipient for change in changes if isinstance(change, AddNotification)})
        steps += [Step(self._statements.trim, (identity, identity, most)) for identity in receivers]
        if not await self._database.transact(steps):
            raise StorageError("notices cannot be stored now")

    async def latest(self, identity: IdentityId, most: int) -> Sequence[Notification]:
        """Return somebody's latest notices, the latest first. Raises: StorageError."""
        return [_notification(row) for row in await self._database.fetch(self._statements.latest, identity, most)]

    async def mark_read(self, identity: IdentityId, subject: str | None) -> None:
        """Note that somebody has seen their notices, all or those about something. Raises: StorageError."""
        if subject is None:
            await self._database.execute(self._statements.read_all, identity)
        else:
            await self._database.execute(self._statements.read, identity, subject)

    async def delete_before(self, before_ms: int) -> None:
        """Forget all that are older. Raises: StorageError."""
        await self._database.execute(self._statements.sweep, before_ms)

    async def toggles(self) -> Sequence[tuple[IdentityId, tuple[NotificationKind, ...]]]:
        """Return who has chosen other kinds than usual: which are on for them that are off, or the other way.

        Raises: StorageError.
        """
        rows = cast("Sequence[tuple[IdentityId, str]]", await self._database.fetch(self._statements.toggles))
        return [(identity, tuple(NotificationKind(kind) for kind in kinds.split())) for identity, kinds in rows]

    async def set_toggled(self, identity: IdentityId, toggled: Sequence[NotificationKind]) -> None:
        """Note which kinds are other than usual for somebody. Raises: StorageError."""
        await self._database.execute(self._statements.set_toggled, identity, " ".join(toggled) or None)

    async def forget(self, identity: IdentityId) -> None:
        """Forget the notices of somebody and those about them. Raises: StorageError."""
        await self._database.execute(self._statements.forget, identity, identity)

    def _step(self, change: InboxChange) -> Step:
        if isinstance(change, AddNotification):
            return Step(self._statements.give, _row(change.recipient, change.notification))
        return Step(self._statements.take_away, (change.recipient, change.kind, change.subject))


def _row(identity: IdentityId, notification: Notification) -> tuple[object, ...]:
    player = notification.player
    who = (None, None, False, False) if player is None else (player.id, player.name, player.registered, player.bot)
    level = None if player is None else player.level
    about = (notification.match, notification.game, *who, level, notification.explanation)
    return (identity, notification.kind, notification.subject, notification.at_ms, *about, notification.read)


def _notification(row: Sequence[object]) -> Notification:
    _, kind, subject, at_ms, match, game, *who, words, is_read = row
    identity, name, registered, bot, level = cast("tuple[IdentityId | None, str, bool, bool, int | None]", tuple(who))
    player = None if identity is None else Player(identity, name, level, registered=bool(registered), bot=bool(bot))
    return Notification(
        NotificationKind(cast(str, kind)),
        cast(str, subject),
        cast(int, at_ms),
        cast("MatchId | None", match),
        cast("str | None", game),
        player,
        cast(str, words),
        bool(is_read),
    )
