"""What moderation stores: actions with their log.

The log is more than a record. Its entries are numbered without gaps in the order of their commits, and every running
server follows it to learn of the actions of other servers and of the command line (`server.moderation.enforcement`).
"""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Executable, Index, Subquery, func, insert, literal, or_, select
from sqlalchemy.types import BigInteger, Integer, Text

from millrace.protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, Role

from ..callers.restriction_store import Restriction, RestrictionKind, RestrictionStore
from ..chat.chat_store import ChatStore
from ..players.accounts.account_store import AccountStore, name_of
from ..storage.database import Database, Step
from ..storage.tables import define_table, optional, required
from .changes import Change, change_steps
from .report_store import ReportStore, select_upheld, settling_step


class ActionRecord(NamedTuple):
    """An entry of the moderation log, without its number."""

    at_ms: int
    by: IdentityId | None
    """The moderator. None for the command line."""
    by_name: str
    command_id: CommandId
    action: ModerationAction
    reason: str
    player: NamedPlayer | None = None
    match: MatchId | None = None
    line: int | None = None
    until_ms: int | None = None
    detail: str = ""


class NumberedRecord(NamedTuple):
    """An entry of the moderation log."""

    number: int
    record: ActionRecord


class LogFilter(NamedTuple):
    """Which entries of the log to return."""

    before: int | None = None
    """Only lower numbers."""
    name: str = ""
    """Only entries by or about players whose name begins with this."""
    action: ModerationAction | None = None
    player: IdentityId | None = None


class ActionTarget(NamedTuple):
    """A player against whom an action might be taken."""

    player: Player
    role: Role | None = None
    restrictions: Mapping[RestrictionKind, Restriction] = MappingProxyType({})


moderation_log = define_table(
    "moderation_log",
    ["number"],
    Column("number", BigInteger, nullable=False, autoincrement=False),
    *required(BigInteger, "at_ms"),
    *required(Text, "by", "by_name", "command_id", "action", "reason"),
    *optional(Text, "player", "player_name", "match"),
    *optional(Integer, "line"),
    *optional(BigInteger, "until_ms"),
    *required(Text, "detail"),
)
"""Moderation actions, numbered from 1 without gaps in the order of commit. Rows are only added. `by` is empty for the
command line."""

Index("moderation_log_command", moderation_log.c.by, moderation_log.c.command_id, unique=True)
Index("moderation_log_player", moderation_log.c.player)


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


class ModerationStore:
    """The log of moderation actions. Every method raises StorageError."""

    def __init__(
        self,
        database: Database,
        accounts: AccountStore,
        restrictions: RestrictionStore,
        reports: ReportStore,
        chat: ChatStore,
        notify_upheld: Callable[[Subquery, int], Step],
    ) -> None:
        """`notify_upheld` returns the step that notifies the reporters of some reports at a time."""
        self._database = database
        self._accounts, self._restrictions, self._reports, self._chat = accounts, restrictions, reports, chat
        self._notify_upheld = notify_upheld

    async def removed_names(self) -> Sequence[IdentityId]:
        """Return the players whose name was removed and who have not chosen another."""
        log = moderation_log.c
        is_neutral = (log.action == ModerationAction.REMOVE_NAME.value, log.detail == name_of(log.player))
        return await self._database.values(IdentityId, select(log.player).where(*is_neutral).distinct())

    async def find(self, identity: IdentityId) -> ActionTarget | None:
        """Return the owner of an account, or a guest who was reported or wrote a chat line."""
        account, restrictions = await self._accounts.find(identity), await self._restrictions.of(identity)
        if account is not None:
            return ActionTarget(account.player, await self._accounts.role_of(identity), restrictions)
        name = await self._reports.name_of_reported(identity) or await self._chat.name_of_writer(identity)
        return None if name is None else ActionTarget(Player(identity, name), None, restrictions)

    async def record(self, record: ActionRecord, change: Change | None, settled: Sequence[str] = ()) -> bool:
        """Store a log entry, the change that it describes and the settlement of reports, all or nothing.

        Those whose reports are upheld are notified in the same transaction.

        Returns False, with nothing stored, if the data to change is not as expected, or if another entry got the
        number; the action must then be decided again. Reports that are already settled stay as they are.
        """
        steps = [Step(_insert_entry(record))]
        if change is not None:
            steps += await change_steps(self._database, change, record.at_ms)
        number = select(func.max(moderation_log.c.number)).scalar_subquery()
        outcome = ModerationAction.DISMISS if record.action is ModerationAction.DISMISS else ModerationAction.UPHOLD
        for report in settled:
            steps.append(settling_step(report, outcome, record.by, number))
            if outcome is ModerationAction.UPHOLD:
                steps.append(self._notify_upheld(select_upheld(report, number), record.at_ms))
        return await self._database.transact(steps)

    async def was_recorded(self, by: IdentityId | None, command_id: CommandId) -> bool:
        """Return whether this command of this actor led to a log entry."""
        log = moderation_log.c
        is_command = (log.by == (by or ""), log.command_id == command_id)
        return bool(await self._database.rows(select(log.number).where(*is_command)))

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none."""
        return await self._database.value(int, select(func.coalesce(func.max(moderation_log.c.number), 0))) or 0

    async def entries_after(self, number: int) -> Sequence[NumberedRecord]:
        """Return the entries with higher numbers, in order."""
        log = moderation_log.c
        return await self._entries(select(*log).where(log.number > number).order_by(log.number))

    async def log(self, wanted: LogFilter, limit: int) -> Sequence[NumberedRecord]:
        """Return the latest entries, latest first."""
        log = moderation_log.c
        found = select(*log).where(*_is_wanted(wanted)).order_by(log.number.desc()).limit(limit)
        return await self._entries(found)

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
