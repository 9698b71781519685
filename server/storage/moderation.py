"""Moderation actions in a database: implements `server.moderation.store.ModerationStore`.

No SQL here; the reports are in `server.storage.reports`.
"""

from collections.abc import Sequence
from typing import cast

from ..accounts.restriction_store import ActionRecord, Restriction, RestrictionKind, StoredRestriction
from ..moderation.store import (
    FOREVER_MS,
    ActionTarget,
    AddRestriction,
    Change,
    ClearBio,
    LogFilter,
    NumberedRecord,
    RemoveLine,
    RemoveRestriction,
    RenamePlayer,
    SetRole,
    VoidMatch,
)
from ..protocol import ChatLine, CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, Role, encode
from .accounts import DatabaseAccounts
from .chat import read_line
from .moderation_statements import compile_moderation_statements
from .writer import Database, Step

_BEYOND = 2**62
"""More than any number of an entry."""
_STORED_ACTIONS = {
    ModerationAction.BAN: "close",
    ModerationAction.UNBAN: "reopen",
    ModerationAction.REMOVE_ROLE: "take_role",
}
"""Actions that are stored by another name than on the wire."""
_ACTIONS = {_STORED_ACTIONS.get(action, action.value): action for action in ModerationAction}
_MOST_LINES = 2**31 - 1
"""What a column of numbers of lines can hold."""


class DatabaseModeration:
    """An `ModerationStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database, accounts: DatabaseAccounts) -> None:
        self._database = database
        self._accounts = accounts
        self._statements = compile_moderation_statements(database.dialect)

    async def roles(self) -> Sequence[tuple[IdentityId, Role]]:
        """Return everybody who has a role. Raises: StorageError."""
        rows = cast("Sequence[tuple[IdentityId, str]]", await self._database.fetch(self._statements.roles))
        return [(identity, Role(role)) for identity, role in rows]

    async def restrictions(self) -> Sequence[StoredRestriction]:
        """Return every measure, even what has run out. Raises: StorageError."""
        return [_restriction(row) for row in await self._database.fetch(self._statements.measures)]

    async def removed_names(self) -> Sequence[IdentityId]:
        """Return whose name was removed and who have not chosen another. Raises: StorageError."""
        return [cast(IdentityId, row[0]) for row in await self._database.fetch(self._statements.nameless)]

    async def find(self, identity: IdentityId) -> ActionTarget | None:
        """Return the owner of an account, or a guest of whom there is a report or a line. Raises: StorageError."""
        accounts = await self._database.fetch(self._statements.find_account, identity)
        stored = [_restriction(row) for row in await self._database.fetch(self._statements.measures_of, identity)]
        restrictions = {each.kind: each.restriction for each in stored}
        for name, is_bot, role in cast("Sequence[tuple[str, bool, str | None]]", accounts):
            player = Player(identity, name, registered=True, bot=bool(is_bot))
            return ActionTarget(player, None if role is None else Role(role), restrictions)
        for statement in (self._statements.find_reported, self._statements.find_talker):
            for (name,) in cast("Sequence[tuple[str]]", await self._database.fetch(statement, identity)):
                return ActionTarget(Player(identity, name), None, restrictions)
        return None

    async def record(self, record: ActionRecord, change: Change | None, settled: Sequence[str] = ()) -> bool:
        """Store an entry of the log with the change that it tells of, and settle reports by it, all or nothing.

        Returns False, with nothing stored, if what is to be changed is not as it was taken to be, or if another entry
        came first: then it is to be decided anew. Reports that are settled already stay as they are.
        Raises: StorageError.
        """
        steps = [Step(self._statements.insert_entry, _row(record))]
        if change is not None:
            steps += await self._steps(change, record.at_ms)
        outcome = ModerationAction.DISMISS if record.action is ModerationAction.DISMISS else ModerationAction.UPHOLD
        for report in settled:
            reporter, _, command_id = report.partition("/")
            steps.append(Step(self._statements.settle, (outcome.value, reporter, command_id, record.by or "")))
        return await self._database.transact(steps)

    async def was_recorded(self, by: IdentityId | None, command_id: CommandId) -> bool:
        """Return whether a command of somebody has led to an entry. Raises: StorageError."""
        return bool(await self._database.fetch(self._statements.was_recorded, by or "", command_id))

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none. Raises: StorageError."""
        rows = await self._database.fetch(self._statements.latest_number)
        return cast(int, rows[0][0])

    async def entries_after(self, number: int) -> Sequence[NumberedRecord]:
        """Return the entries of higher numbers, in order. Raises: StorageError."""
        return [_entry(row) for row in await self._database.fetch(self._statements.entries_after, number)]

    async def log(self, wanted: LogFilter, most: int) -> Sequence[NumberedRecord]:
        """Return the latest entries, the latest first. Raises: StorageError."""
        name, before = wanted.name.lower(), _BEYOND if wanted.before is None else wanted.before
        action, player = "" if wanted.action is None else _stored_action(wanted.action), wanted.player or ""
        beginning = (len(name), name)
        parameters = (before, name, *beginning, *beginning, action, action, player, player, most)
        return [_entry(row) for row in await self._database.fetch(self._statements.log, *parameters)]

    async def lines_around(self, match: MatchId, line: int, most: int) -> Sequence[ChatLine]:
        """Return the lines of both rooms up to so many before and after a line, in order. Raises: StorageError."""
        near = min(line, _MOST_LINES - most)
        rows = await self._database.fetch(self._statements.lines_between, match, near - most, near + most)
        return [read_line(row) for row in rows]

    async def forget(self, identity: IdentityId) -> None:
        """Forget the measures upon somebody who is no more. Raises: StorageError."""
        await self._database.execute(self._statements.lift_all, identity)

    async def _steps(self, change: Change, at_ms: int) -> list[Step]:  # noqa: PLR0911  # one return for each kind
        texts = self._statements
        match change:
            case SetRole(identity, before, after):
                given = None if after is None else after.value
                return [Step(texts.give_role, (given, identity, before.value if before else ""), must_change=True)]
            case AddRestriction(identity, kind, restriction):
                impose = Step(texts.impose, (identity, kind.value, *restriction))
                if kind is RestrictionKind.MUTE:
                    return [Step(texts.lift, (identity, kind.value)), impose]
                return [impose, self._accounts.revoking_step(identity)]
            case RemoveRestriction(identity, kind):
                return [Step(texts.lift, (identity, kind.value), must_change=True)]
            case RenamePlayer():
                return await self._renaming(change, at_ms)
            case ClearBio(identity):
                return [Step(texts.clear_bio, (identity,), must_change=True)]
            case RemoveLine(match, number):
                return [Step(texts.remove_line, (match, number), must_change=True)]
            case VoidMatch():
                return self._voiding(change)

    async def _renaming(self, change: RenamePlayer, at_ms: int) -> list[Step]:
        player, texts = change.player, self._statements
        row = (player.name, change.skeleton, player.id, change.before)
        reserving = [Step(texts.reserve, (change.reserved, change.before, at_ms, FOREVER_MS))]
        return [
            Step(texts.rename, row, must_change=True),
            *(reserving if change.reserved is not None else ()),
            Step(texts.rename_lines, (player.name, player.id)),
            *await self._accounts.renaming_steps(player.id, player),
        ]

    def _voiding(self, change: VoidMatch) -> list[Step]:
        texts, entry = self._statements, change.entry
        body = encode(entry.event).decode()
        steps = [
            Step(texts.add_event, (change.match, change.seq, entry.at_ms, entry.seat, entry.command_id, body)),
            *(Step(text, (change.match,)) for text in (texts.forget_changes, texts.void_match, texts.void_seats)),
        ]
        for made, current, after in change.restored:
            whose = (made.identity, made.kind.game, made.kind.seats, made.kind.speed.value)
            shift = made.before.mu - made.after.mu
            restored = (*after, *whose, current.mu, current.matches)
            steps.append(Step(texts.restore, restored, must_change=True))
            steps.append(Step(texts.shift_history, (shift, shift, *whose, made.at_ms)))
        return steps


def _restriction(row: Sequence[object]) -> StoredRestriction:
    identity, kind, reason, until_ms = cast("tuple[IdentityId, str, str, int | None]", tuple(row))
    return StoredRestriction(identity, RestrictionKind(kind), Restriction(reason, until_ms))


def _stored_action(action: ModerationAction) -> str:
    return _STORED_ACTIONS.get(action, action.value)


def _row(record: ActionRecord) -> tuple[object, ...]:
    player, name = (None, None) if record.player is None else (record.player.id, record.player.name)
    who = (record.at_ms, record.by or "", record.by_name, record.command_id)
    upon = (player, name, record.match, record.line, record.until_ms)
    return (*who, _stored_action(record.action), record.reason, *upon, record.detail)


def _entry(row: Sequence[object]) -> NumberedRecord:
    number, at_ms, by, by_name, command_id, action, reason, player, name, match, line, until_ms, detail = cast(
        "tuple[int, int, str, str, CommandId, str, str, str | None, str | None, MatchId | None, int | None, "
        "int | None, str]",
        tuple(row),
    )
    named = None if player is None else NamedPlayer(IdentityId(player), name or "")
    actor = IdentityId(by) if by else None
    target = (named, match, line, until_ms)
    record = ActionRecord(at_ms, actor, by_name, command_id, _ACTIONS[action], reason, *target, detail)
    return NumberedRecord(number, record)
