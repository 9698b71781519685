"""What moderation stores: actions with their log.

The log is more than a record. Its entries are numbered without gaps in the order of their commits, and every running
server follows it to learn of the actions of other servers and of the command line (`server.moderation.enforcement`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Executable, Index, Subquery, func, insert, literal, or_, select
from sqlalchemy.types import BigInteger, Integer, Text

from millrace.protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, Role

from ..callers.names import skeleton_of
from ..callers.restriction_store import Restriction, RestrictionKind, RestrictionStore
from ..callers.site_rules import SITE_ACTIONS, SiteAction
from ..chat.chat_store import ChatStore, naming_step
from ..journal.renaming_store import renaming_steps
from ..players.accounts.account_store import AccountStore, name_of, name_step, reserving_step
from ..storage.database import Database, Step
from ..storage.tables import define_table, optional, required
from .report_store import ReportStore, select_upheld, settling_step

FOREVER_MS = 253_402_300_799_000
"""The end of the year 9999. Removed names stay reserved at least until then."""


class ActionRecord(NamedTuple):
    """An entry of the moderation log."""

    at_ms: int
    by: str
    """The moderator's identity. Empty for the command line."""
    by_name: str
    command_id: CommandId
    action: ModerationAction
    reason: str
    player_id: IdentityId | None = None
    player_name: str | None = None
    match: MatchId | None = None
    line: int | None = None
    until_ms: int | None = None
    detail: str = ""
    study: str | None = None
    number: int = 0
    """Set when the entry is stored."""

    @property
    def player(self) -> NamedPlayer | None:
        """The player against whom the action was taken."""
        return None if self.player_id is None else NamedPlayer(self.player_id, self.player_name or "")


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
    *optional(Text, "study"),
)
"""Moderation actions, numbered from 1 without gaps in the order of commit. Rows are only added."""

Index("moderation_log_command", moderation_log.c.by, moderation_log.c.command_id, unique=True)
Index("moderation_log_player", moderation_log.c.player)


_WRITTEN = ["player" if name == "player_id" else name for name in ActionRecord._fields[:-1]]
"""The columns of an `ActionRecord`, in the order of its fields, without the number."""
_ENTRY = (*(moderation_log.c[name] for name in _WRITTEN), moderation_log.c.number)
_IS_KNOWN = moderation_log.c.action.in_([action.value for action in ModerationAction])
"""Nodes of a newer release may have taken actions that this one does not know: it leaves them to those nodes."""


@dataclass(eq=False)
class ModerationStore:
    """The log of moderation actions. Every method raises StorageError."""

    _database: Database
    _accounts: AccountStore
    _restrictions: RestrictionStore
    _reports: ReportStore
    _chat: ChatStore
    _notify_upheld: Callable[[Subquery, int], Step]
    """Returns the step that notifies the reporters of some reports at a time."""

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

    async def rename_steps(
        self, player: Player, before: str, at_ms: int, reserved: IdentityId | None = None
    ) -> list[Step]:
        """Return the steps that give an account another name; `before` is the skeleton of the old name.

        The identity `reserved` keeps the old name reserved. With None, others may take it.
        """
        steps = [name_step(player, skeleton_of(player.name), before), naming_step(player)]
        if reserved is not None:
            steps.append(reserving_step(before, reserved, at_ms, FOREVER_MS))
        return [*steps, *await renaming_steps(self._database, player.id, player)]

    async def deletion_steps(
        self, identity: IdentityId, replacement: Player, scrubbed: IdentityId, at_ms: int
    ) -> list[Step]:
        """Return the steps that delete an account and put another player in its place."""
        return await self._accounts.deletion_steps(identity, replacement, scrubbed, at_ms)

    async def record(self, record: ActionRecord, changes: Sequence[Step] = (), settled: Sequence[str] = ()) -> bool:
        """Store a log entry, the changes that it describes and the settlement of reports, all or nothing.

        Those whose reports are upheld are notified in the same transaction.

        Returns False, with nothing stored, if the data to change is not as expected, or if another entry got the
        number; the action must then be decided again. Reports that are already settled stay as they are.
        """
        steps = [Step(_insert_entry(record)), *changes]
        number = select(func.max(moderation_log.c.number)).scalar_subquery()
        outcome = ModerationAction.DISMISS if record.action is ModerationAction.DISMISS else ModerationAction.UPHOLD
        for report in settled:
            steps.append(settling_step(report, outcome, record.by, number))
            if outcome is ModerationAction.UPHOLD:
                steps.append(self._notify_upheld(select_upheld(report, number), record.at_ms))
        return await self._database.transact(steps)

    async def was_recorded(self, by: str, command_id: CommandId) -> bool:
        """Return whether this command of this actor led to a log entry."""
        log = moderation_log.c
        is_command = (log.by == by, log.command_id == command_id)
        return bool(await self._database.rows(select(log.number).where(*is_command)))

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none."""
        return await self._database.value(int, select(func.coalesce(func.max(moderation_log.c.number), 0))) or 0

    def last_change(self) -> tuple[int, int] | None:
        """Return what differs once anything was stored; None if that is not known."""
        return self._database.last_change()

    async def entries_after(self, number: int) -> Sequence[ActionRecord]:
        """Return the entries with higher numbers, in order."""
        log = moderation_log.c
        found = select(*_ENTRY).where(log.number > number, _IS_KNOWN).order_by(log.number)
        return await self._database.records(ActionRecord, found)

    async def site_actions(self) -> Sequence[SiteAction]:
        """Return all actions about the whole site, in order."""
        log = moderation_log.c
        of_site = log.action.in_([action.value for action in SITE_ACTIONS])
        found = select(log.action, log.detail, log.reason, log.until_ms).where(of_site).order_by(log.number)
        return await self._database.records(SiteAction, found)

    async def log(self, wanted: LogFilter, limit: int) -> Sequence[ActionRecord]:
        """Return the latest entries, latest first."""
        log = moderation_log.c
        found = select(*_ENTRY).where(*_is_wanted(wanted)).order_by(log.number.desc()).limit(limit)
        return await self._database.records(ActionRecord, found)


def _insert_entry(record: ActionRecord) -> Executable:
    next_number = func.coalesce(func.max(moderation_log.c.number), 0) + 1
    written = zip(_WRITTEN, record[:-1], strict=True)
    values = (literal(value, moderation_log.c[name].type) for name, value in written)
    entry = select(next_number, *values).select_from(moderation_log)
    return insert(moderation_log).from_select(["number", *_WRITTEN], entry)


def _is_wanted(wanted: LogFilter) -> list[ColumnElement[bool]]:
    log = moderation_log.c
    conditions: list[ColumnElement[bool]] = [_IS_KNOWN]
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
