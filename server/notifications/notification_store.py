"""The stored notifications and preferences.

Those that follow from an event of a match are stored with it, by the journal.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import Column, Index, delete, func, literal, or_, select, true, update
from sqlalchemy.dialects.postgresql import Insert, insert
from sqlalchemy.sql.expression import ColumnElement, Executable, Subquery
from sqlalchemy.types import BigInteger, Boolean, SmallInteger, Text

from millrace.protocol import IdentityId, MatchId, Notification, NotificationKind, Player

from ..players.accounts.account_store import name_of
from ..players.profiles.profile_store import profiles
from ..storage.appends import Insertion, Row, Statement, parameters
from ..storage.database import Step, Store
from ..storage.errors import StorageError
from ..storage.tables import define_table, optional, required
from .match_notifications import AddNotification, InboxChange

notifications = define_table(
    "notifications",
    ["identity", "kind", "subject"],
    *required(Text, "identity", "kind", "subject"),
    *required(BigInteger, "at_ms"),
    *optional(Text, "match", "game", "player", "player_name"),
    *required(Boolean, "player_registered", "player_bot"),
    *optional(SmallInteger, "player_level"),
    *required(Text, "explanation"),
    *required(Boolean, "is_read"),
    Column("is_pushed", Boolean, nullable=False, server_default=true()),
)
"""Each player's inbox: at most one notification of a kind about each match or player; `player` is the other player.

`is_pushed` says that it was sent to the player's browsers as a push message, or need not be."""

Index("notifications_identity", notifications.c.identity, notifications.c.at_ms)
Index("notifications_at", notifications.c.at_ms)
Index("notifications_player", notifications.c.player)


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
STATEMENTS = (WITHDRAW_NOTIFICATION, ADD_NOTIFICATION)
"""In the order in which a batch of the journal runs them: what follows from an event is stored with it."""


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


class NotificationStore(Store):
    """The notifications and preferences of all players. Every method raises StorageError."""

    async def add(self, added: Sequence[AddNotification]) -> None:
        """Add notifications, all or none.

        One that is not newer than the one that it would replace changes nothing.
        """
        if not await self._database.transact([Step(_add(_row(each)._asdict())) for each in added]):
            raise StorageError("notifications cannot be stored now; try again")

    async def trim(self, inboxes: Collection[tuple[IdentityId, NotificationKind]], most: int) -> None:
        """Keep the newest `most` notifications of each of these players and kinds."""
        await self._database.transact([_trimming(*each, most) for each in sorted(inboxes)])

    async def latest(self, identity: IdentityId, most: int) -> Sequence[Notification]:
        """Return a player's newest notifications, the newest first."""
        # The other player may have another name by now.
        name = func.coalesce(name_of(notifications.c.player), notifications.c.player_name)
        found = (
            select(*(name if column is notifications.c.player_name else column for column in notifications.c))
            .where(notifications.c.identity == identity)
            .order_by(notifications.c.at_ms.desc(), notifications.c.kind, notifications.c.subject)
            .limit(most)
        )
        return [stored.notification for stored in await self._database.records(StoredNotification, found)]

    async def mark_read(self, identity: IdentityId, subject: str | None) -> None:
        """Mark a player's notifications as read: all, or those about one subject."""
        reading = update(notifications).where(notifications.c.identity == identity).values(is_read=True)
        await self._database.execute(reading if subject is None else reading.where(notifications.c.subject == subject))

    async def delete_before(self, before_ms: int) -> None:
        """Delete older notifications."""
        await self._database.execute(delete(notifications).where(notifications.c.at_ms < before_ms))

    async def toggles(self) -> Sequence[tuple[IdentityId, tuple[NotificationKind, ...]]]:
        """Return, for each player who changed the defaults, the kinds that differ from the default."""
        is_toggled = profiles.c.toggled_notifications.is_not(None)
        found = select(profiles.c.identity, profiles.c.toggled_notifications).where(is_toggled)
        stored = await self._database.records(_Toggled, found)
        return [(identity, tuple(NotificationKind(kind) for kind in kinds.split())) for identity, kinds in stored]

    async def set_toggled(self, identity: IdentityId, toggled: Sequence[NotificationKind]) -> None:
        """Replace the kinds that differ from the default for a player."""
        kinds = {"toggled_notifications": " ".join(toggled) or None}
        putting = insert(profiles).values(identity=identity, **kinds)
        await self._database.execute(putting.on_conflict_do_update(index_elements=["identity"], set_=kinds))


class _Toggled(NamedTuple):
    identity: IdentityId
    kinds: str
    """Separated by spaces."""


def inbox_insertions(changes: Sequence[InboxChange]) -> list[Insertion]:
    """Return the insertions that change inboxes; no two of the changes may be about the same notification."""
    added: list[Row] = [_row(change) for change in changes if isinstance(change, AddNotification)]
    withdrawn: list[Row] = [
        (change.recipient, change.kind.value, change.subject)
        for change in changes
        if not isinstance(change, AddNotification)
    ]
    steps = (Insertion(WITHDRAW_NOTIFICATION, withdrawn), Insertion(ADD_NOTIFICATION, added))
    return [step for step in steps if step.rows]


def notification_of_upheld(upheld: Subquery, at_ms: int) -> Step:
    """Return the step that notifies the reporters of upheld reports (`reporter`, `player`, `match`) who want it."""
    kind = NotificationKind.REPORT_UPHELD
    toggled = " " + profiles.c.toggled_notifications + " "
    is_wanted = or_(profiles.c.toggled_notifications.is_(None), toggled.not_like(f"% {kind.value} %"))
    # Whom it is for, the subject and the match are taken from the report, the rest is the same for all.
    about = (None, None, None, None, False, False, None)
    row = StoredNotification(IdentityId(""), kind, "", at_ms, *about, "", is_read=False)
    literals: dict[str, ColumnElement[object]] = {
        name: literal(value, notifications.c[name].type) for name, value in row._asdict().items()
    }
    values = literals | {"identity": upheld.c.reporter, "subject": upheld.c.player, "match": upheld.c.match}
    found = select(*values.values()).join_from(upheld, profiles, profiles.c.identity == upheld.c.reporter, isouter=True)
    return Step(_replacing_older(insert(notifications).from_select(list(values), found.where(is_wanted))))


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


def deletion_steps(identity: IdentityId, _replacement: Player) -> list[Step]:
    """Return the steps that delete a player's notifications, and those about the player."""
    is_about = or_(notifications.c.identity == identity, notifications.c.player == identity)
    return [Step(delete(notifications).where(is_about))]
