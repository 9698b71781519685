"""Notifications in a database: implements `server.notifications.notification_store.NotificationStore`."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Executable, delete, func, literal, or_, select, update
from sqlalchemy.dialects.postgresql import Insert, insert

from millrace.protocol import IdentityId, MatchId, ModerationAction, Notification, NotificationKind, Player

from ..journal.inbox import AddNotification, InboxChange
from ..journal.journal import StorageError
from .batches import Insertion, Row, Statement, parameters
from .database import Database, Step
from .tables import accounts, moderation_log, notifications, profiles, reports

_KEY = ("identity", "kind", "subject")


def _add(values: Mapping[str, object]) -> Executable:
    return _replacing_older(insert(notifications).values(values))


def _replacing_older(adding: Insert) -> Executable:
    """Return an insert that replaces an older notification of the same kind and subject."""
    return adding.on_conflict_do_update(
        index_elements=_KEY,
        set_={column.name: adding.excluded[column.name] for column in notifications.c if column.name not in _KEY},
        where=notifications.c.at_ms < adding.excluded.at_ms,
    )


def _withdraw() -> Executable:
    is_it = (notifications.c[name] == value for name, value in parameters(notifications, *_KEY).items())
    return delete(notifications).where(*is_it)


ADD_NOTIFICATION = Statement(_add(parameters(notifications)), tuple(notifications.c.keys()))
WITHDRAW_NOTIFICATION = Statement(_withdraw(), _KEY)
"""Statements of the journal's batches: what follows from an event is stored with it."""


class StoredNotification(NamedTuple):
    """A row of `notifications`."""

    identity: IdentityId
    kind: NotificationKind
    subject: str
    at_ms: int
    match: MatchId | None
    game: str | None
    player: IdentityId | None
    player_name: str | None
    player_registered: bool
    player_bot: bool
    player_level: int | None
    explanation: str
    is_read: bool
    is_pushed: bool = False

    @property
    def notification(self) -> Notification:
        """Return the notification as its owner sees it."""
        player = None
        if self.player is not None:
            traits = {"registered": self.player_registered, "bot": self.player_bot}
            player = Player(self.player, self.player_name or "", self.player_level, **traits)
        about = (self.match, self.game, player)
        return Notification(self.kind, self.subject, self.at_ms, *about, self.explanation, self.is_read)


class DatabaseNotifications:
    """A `NotificationStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, added: Sequence[AddNotification]) -> None:
        """Store notifications, all or none.

        One that is not later than the one it would replace changes nothing. Raises: StorageError.
        """
        if not await self._database.transact([Step(_add(_row(each)._asdict())) for each in added]):
            raise StorageError("notifications cannot be stored now; try again")

    async def trim(self, inboxes: Collection[tuple[IdentityId, NotificationKind]], most: int) -> None:
        """Keep the latest notifications of a player and a kind, up to `most` of each. Raises: StorageError."""
        await self._database.transact([_trimming(*each, most) for each in sorted(inboxes)])

    async def latest(self, identity: IdentityId, most: int) -> Sequence[Notification]:
        """Return a player's latest notifications, up to `most`, the latest first. Raises: StorageError."""
        # The other player may have another name by now.
        name = func.coalesce(accounts.c.name, notifications.c.player_name)
        found = (
            select(*(name if column is notifications.c.player_name else column for column in notifications.c))
            .join_from(notifications, accounts, accounts.c.id == notifications.c.player, isouter=True)
            .where(notifications.c.identity == identity)
            .order_by(notifications.c.at_ms.desc(), notifications.c.kind, notifications.c.subject)
            .limit(most)
        )
        return [stored.notification for stored in await self._database.records(StoredNotification, found)]

    async def mark_read(self, identity: IdentityId, subject: str | None) -> None:
        """Mark a player's notifications as read, all or those about a subject. Raises: StorageError."""
        reading = update(notifications).where(notifications.c.identity == identity).values(is_read=True)
        await self._database.execute(reading if subject is None else reading.where(notifications.c.subject == subject))

    async def delete_before(self, before_ms: int) -> None:
        """Delete older notifications. Raises: StorageError."""
        await self._database.execute(delete(notifications).where(notifications.c.at_ms < before_ms))

    async def toggles(self) -> Sequence[tuple[IdentityId, tuple[NotificationKind, ...]]]:
        """Return the players who have changed the usual choice of kinds, each with the kinds that differ from it.

        Raises: StorageError.
        """
        is_toggled = profiles.c.toggled_notifications.is_not(None)
        found = select(profiles.c.identity, profiles.c.toggled_notifications).where(is_toggled)
        stored = await self._database.records(_Toggled, found)
        return [(identity, tuple(NotificationKind(kind) for kind in kinds.split())) for identity, kinds in stored]

    async def set_toggled(self, identity: IdentityId, toggled: Sequence[NotificationKind]) -> None:
        """Store which kinds differ from the usual choice for a player. Raises: StorageError."""
        kinds = {"toggled_notifications": " ".join(toggled) or None}
        putting = insert(profiles).values(identity=identity, **kinds)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["identity"], set_=kinds))


class _Toggled(NamedTuple):
    identity: IdentityId
    kinds: str
    """Separated by spaces."""


def inbox_steps(changes: Sequence[InboxChange]) -> list[Insertion]:
    """Return the steps of an append that change inboxes; no two of the changes may be about the same notification."""
    added: list[Row] = [_row(change) for change in changes if isinstance(change, AddNotification)]
    withdrawn: list[Row] = [
        (change.recipient, change.kind.value, change.subject)
        for change in changes
        if not isinstance(change, AddNotification)
    ]
    steps = (Insertion(WITHDRAW_NOTIFICATION, withdrawn), Insertion(ADD_NOTIFICATION, added))
    return [step for step in steps if step.rows]


def notification_of_upheld(report: str, at_ms: int) -> Executable:
    """Return the statement that notifies a reporter who wants it if the latest log entry has upheld the report."""
    reporter, _, command_id = report.partition("/")
    number = select(func.max(moderation_log.c.number)).scalar_subquery()
    is_upheld = (reports.c.outcome == ModerationAction.UPHOLD.value, reports.c.settled_by == number)
    kind = NotificationKind.REPORT_UPHELD
    toggled = " " + profiles.c.toggled_notifications + " "
    is_wanted = or_(profiles.c.toggled_notifications.is_(None), toggled.not_like(f"% {kind.value} %"))
    # The subject and the match are taken from the report, the rest is the same for all.
    about = (None, None, None, None, False, False, None)
    row = StoredNotification(IdentityId(reporter), kind, "", at_ms, *about, "", is_read=False)
    values = {**_literals(row), "subject": reports.c.player, "match": reports.c.match}
    found = (
        select(*values.values())
        .join_from(reports, profiles, profiles.c.identity == reports.c.reporter, isouter=True)
        .where(reports.c.reporter == reporter, reports.c.command_id == command_id, *is_upheld, is_wanted)
    )
    return _replacing_older(insert(notifications).from_select(list(values), found))


def _literals(row: StoredNotification) -> dict[str, ColumnElement[object]]:
    return {name: literal(value, notifications.c[name].type) for name, value in row._asdict().items()}


def _trimming(identity: IdentityId, kind: NotificationKind, most: int) -> Step:
    """Return the step that keeps the latest notifications of a player of one kind, up to `most`."""
    is_of_kind = (notifications.c.identity == identity, notifications.c.kind == kind.value)
    times = select(notifications.c.at_ms).where(*is_of_kind).order_by(notifications.c.at_ms.desc())
    last_dropped_ms = times.limit(1).offset(most).scalar_subquery()
    return Step(delete(notifications).where(*is_of_kind, notifications.c.at_ms <= last_dropped_ms))


def _row(added: AddNotification) -> StoredNotification:
    identity, notification = added
    player = notification.player
    place = (
        identity,
        notification.kind,
        notification.subject,
        notification.at_ms,
        notification.match,
        notification.game,
    )
    if player is None:
        return StoredNotification(*place, None, None, False, False, None, notification.explanation, notification.read)
    about = (player.id, player.name, player.registered, player.bot, player.level)
    return StoredNotification(*place, *about, notification.explanation, notification.read)
