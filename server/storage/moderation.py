"""Moderation in a database: implements `server.moderation.moderation_store.ModerationStore`.

Reports are in `server.storage.reports`, the statements that change what players own in `server.storage.changes`.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, Executable, and_, func, insert, literal, or_, select, update

from millrace.protocol import ChatLine, CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, Role

from ..moderation.moderation_store import ActionTarget, Change, LogFilter, NumberedRecord
from ..players.accounts.restriction_store import ActionRecord, Restriction, RestrictionKind, StoredRestriction
from .accounts import DatabaseAccounts
from .changes import change_steps
from .chat import StoredLine
from .database import Database, Step
from .notifications import notification_of_upheld
from .tables import accounts, chat_lines, moderation_log, reports, restrictions

_MOST_LINES = 2**31 - 1
"""The largest number of a line that a column holds."""


class _RestrictionRow(NamedTuple):
    """A row of `restrictions`."""

    identity: IdentityId
    kind: RestrictionKind
    reason: str
    until_ms: int | None

    @property
    def restriction(self) -> StoredRestriction:
        return StoredRestriction(self.identity, self.kind, Restriction(self.reason, self.until_ms))


class _ActionRow(NamedTuple):
    """A row of `moderation_log`."""

    number: int
    at_ms: int
    by: str
    by_name: str
    command_id: CommandId
    action: ModerationAction
    reason: str
    player: IdentityId | None
    player_name: str | None
    match: MatchId | None
    line: int | None
    until_ms: int | None
    detail: str

    @property
    def numbered(self) -> NumberedRecord:
        player = None if self.player is None else NamedPlayer(self.player, self.player_name or "")
        actor = IdentityId(self.by) if self.by else None
        did = (self.at_ms, actor, self.by_name, self.command_id, self.action, self.reason)
        record = ActionRecord(*did, player, self.match, self.line, self.until_ms, self.detail)
        return NumberedRecord(self.number, record)


class _Role(NamedTuple):
    identity: IdentityId
    role: Role


class _Account(NamedTuple):
    name: str
    is_bot: bool
    role: Role | None


class DatabaseModeration:
    """A `ModerationStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database, accounts: DatabaseAccounts) -> None:
        self._database = database
        self._accounts = accounts

    async def roles(self) -> Sequence[tuple[IdentityId, Role]]:
        """Return every account that has a role. Raises: StorageError."""
        found = select(accounts.c.id, accounts.c.role).where(accounts.c.role.is_not(None))
        return await self._database.records(_Role, found)

    async def restrictions(self) -> Sequence[StoredRestriction]:
        """Return every restriction, including those that have expired. Raises: StorageError."""
        stored = await self._database.records(_RestrictionRow, select(*restrictions.c))
        return [row.restriction for row in stored]

    async def removed_names(self) -> Sequence[IdentityId]:
        """Return the accounts whose name was removed and that have chosen no other. Raises: StorageError."""
        is_neutral = and_(
            moderation_log.c.player == accounts.c.id,
            moderation_log.c.detail == accounts.c.name,
            moderation_log.c.action == ModerationAction.REMOVE_NAME.value,
        )
        found = select(accounts.c.id).join_from(accounts, moderation_log, is_neutral).distinct()
        return await self._database.values(IdentityId, found)

    async def find(self, identity: IdentityId) -> ActionTarget | None:
        """Return the owner of an account, or a guest who was reported or has written a line. Raises: StorageError."""
        found = select(accounts.c.name, accounts.c.is_bot, accounts.c.role)
        is_owner = (accounts.c.id == identity, accounts.c.deleted_ms.is_(None))
        account = await self._database.record(_Account, found.where(*is_owner))
        stored = await self._database.records(
            _RestrictionRow, select(*restrictions.c).where(restrictions.c.identity == identity)
        )
        imposed = {row.kind: row.restriction.restriction for row in stored}
        if account is not None:
            player = Player(identity, account.name, registered=True, bot=account.is_bot)
            return ActionTarget(player, account.role, imposed)
        name = await self._name_of_guest(identity)
        return None if name is None else ActionTarget(Player(identity, name), None, imposed)

    async def record(self, record: ActionRecord, change: Change | None, settled: Sequence[str] = ()) -> bool:
        """Store an entry of the log with the change that it describes, and settle reports by it, all or nothing.

        Those whose reports are upheld are notified in the same transaction.

        Returns False, with nothing stored, if what is to be changed has changed meanwhile, or if another entry was
        stored first: the action must then be decided again. Reports that are settled already stay as they are.
        Raises: StorageError.
        """
        steps = [Step(_insert_entry(record))]
        if change is not None:
            steps += await change_steps(change, record.at_ms, self._accounts)
        outcome = ModerationAction.DISMISS if record.action is ModerationAction.DISMISS else ModerationAction.UPHOLD
        for report in settled:
            steps.append(Step(_settle(report, outcome, record.by)))
            if outcome is ModerationAction.UPHOLD:
                steps.append(Step(notification_of_upheld(report, record.at_ms)))
        return await self._database.transact(steps)

    async def was_recorded(self, by: IdentityId | None, command_id: CommandId) -> bool:
        """Return whether a moderator's command has led to an entry. Raises: StorageError."""
        log = moderation_log.c
        is_command = (log.by == (by or ""), log.command_id == command_id)
        return bool(await self._database.rows(select(log.number).where(*is_command)))

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none. Raises: StorageError."""
        return await self._database.value(int, select(func.coalesce(func.max(moderation_log.c.number), 0))) or 0

    async def entries_after(self, number: int) -> Sequence[NumberedRecord]:
        """Return the entries of higher numbers, in order. Raises: StorageError."""
        log = moderation_log.c
        return await self._entries(select(*log).where(log.number > number).order_by(log.number))

    async def log(self, wanted: LogFilter, most: int) -> Sequence[NumberedRecord]:
        """Return the latest entries, up to `most`, the latest first. Raises: StorageError."""
        log = moderation_log.c
        found = select(*log).where(*_is_wanted(wanted)).order_by(log.number.desc()).limit(most)
        return await self._entries(found)

    async def lines_around(self, match: MatchId, line: int, most: int) -> Sequence[ChatLine]:
        """Return a line with the lines around it, up to `most` before and after, in order. Raises: StorageError."""
        near = min(line, _MOST_LINES - most)
        is_near = (chat_lines.c.match == match, chat_lines.c.number.between(near - most, near + most))
        found = select(*chat_lines.c).where(*is_near).order_by(chat_lines.c.number)
        return [row.line for row in await self._database.records(StoredLine, found)]

    async def _name_of_guest(self, identity: IdentityId) -> str | None:
        reported = select(reports.c.player_name).where(reports.c.player == identity, reports.c.player_name != "")
        wrote = select(chat_lines.c.name).where(chat_lines.c.identity == identity)
        name = await self._database.value(str, reported.order_by(reports.c.at_ms.desc()).limit(1))
        if name is None:
            name = await self._database.value(str, wrote.order_by(chat_lines.c.at_ms.desc()).limit(1))
        return name

    async def _entries(self, statement: Executable) -> list[NumberedRecord]:
        return [row.numbered for row in await self._database.records(_ActionRow, statement)]


def _insert_entry(record: ActionRecord) -> Executable:
    player, name = (None, None) if record.player is None else (record.player.id, record.player.name)
    values = {
        "at_ms": record.at_ms,
        "by": record.by or "",
        "by_name": record.by_name,
        "command_id": record.command_id,
        "action": record.action.value,
        "reason": record.reason,
        "player": player,
        "player_name": name,
        "match": record.match,
        "line": record.line,
        "until_ms": record.until_ms,
        "detail": record.detail,
    }
    next_number = func.coalesce(func.max(moderation_log.c.number), 0) + 1
    typed = (literal(value, moderation_log.c[name].type) for name, value in values.items())
    entry = select(next_number, *typed).select_from(moderation_log)
    return insert(moderation_log).from_select(["number", *values], entry)


def _settle(report: str, outcome: ModerationAction, by: IdentityId | None) -> Executable:
    """Return the statement that settles a report by the latest entry, unless the report is about the moderator."""
    reporter, _, command_id = report.partition("/")
    is_report = (reports.c.reporter == reporter, reports.c.command_id == command_id)
    is_open = (reports.c.player != (by or ""), reports.c.outcome.is_(None))
    number = select(func.max(moderation_log.c.number)).scalar_subquery()
    return update(reports).where(*is_report, *is_open).values(outcome=outcome.value, settled_by=number)


def _is_wanted(wanted: LogFilter) -> list[ColumnElement[bool]]:
    log = moderation_log.c
    conditions: list[ColumnElement[bool]] = []
    if wanted.before is not None:
        conditions.append(log.number < wanted.before)
    if wanted.name:
        beginning = wanted.name.lower()
        names = (log.by_name, log.player_name)
        conditions.append(or_(*(func.lower(name).startswith(beginning, autoescape=True) for name in names)))
    if wanted.action is not None:
        conditions.append(log.action == wanted.action.value)
    if wanted.player is not None:
        conditions.append(log.player == wanted.player)
    return conditions
