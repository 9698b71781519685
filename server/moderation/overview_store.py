"""What the command line lists about a whole server: its accounts, and statistics."""

from collections.abc import AsyncGenerator, Collection, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Executable, Select, and_, func, or_, select, text, union_all
from sqlalchemy.sql.base import ReadOnlyColumnCollection

from millrace.protocol import IdentityId, ModerationAction, Role

from ..callers.restriction_store import Restriction, RestrictionKind, restrictions
from ..journal.seats_store import seats_of
from ..journal.tables import events, match_players, matches, packed_games, packed_matches
from ..players.accounts.account_store import accounts
from ..storage.database import Store
from ..storage.tables import metadata
from .moderation_store import moderation_log
from .report_store import reports

ROWS_AT_ONCE = 100
"""Rows of one player that are read at a time, some of which are texts of 48,000 characters."""


class AccountLine(NamedTuple):
    """A line of the list of accounts."""

    identity: IdentityId
    name: str
    created_ms: int
    is_bot: bool
    role: Role | None
    mute_reason: str | None
    muted_until_ms: int | None
    ban_reason: str | None

    @property
    def mute(self) -> Restriction | None:
        """The mute of the owner."""
        return None if self.mute_reason is None else Restriction(self.mute_reason, self.muted_until_ms)

    @property
    def ban(self) -> Restriction | None:
        """The ban of the owner."""
        return None if self.ban_reason is None else Restriction(self.ban_reason)


class AccountFilter(NamedTuple):
    """Which accounts to list. By default, all."""

    name: str = ""
    """The beginning of the name."""
    role: Role | None = None
    has_role: bool = False
    is_muted: bool = False
    is_banned: bool = False


class Statistics(NamedTuple):
    """How much is stored."""

    accounts: int
    bots: int
    banned: int
    muted: int
    matches: int
    live: int
    """Matches being played."""
    waiting: int
    """Matches waiting for players."""
    rated: int
    """Finished matches that were agreed to be rated."""
    void: int
    reports_open: int
    storage_bytes: int
    by_day: Sequence[tuple[str, Mapping[str, int]]]
    """For each of the latest days, such as `2026-11-21`, the matches begun by game. Latest first."""


DAY_MS = 86_400_000

_SQLITE_BYTES = text("SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()")
_POSTGRES_BYTES = text("SELECT pg_database_size(current_database())")

_MUTE = restrictions.alias("mute")
_BAN = restrictions.alias("ban")


class _Day(NamedTuple):
    day: int
    """Days since 1970."""
    game: str
    matches: int


class Overview(Store):
    """Reads lists and statistics. Every method raises StorageError."""

    async def accounts(self, wanted: AccountFilter, now_ms: int, limit: int) -> Sequence[AccountLine]:
        """Return accounts, by name."""
        found = _with_restrictions(now_ms).where(*_is_wanted(wanted))
        found = found.order_by(func.lower(accounts.c.name)).limit(limit)
        return await self._database.records(AccountLine, found)

    async def rows_about(
        self, table: str, column: str, identity: IdentityId, left_out: Collection[str]
    ) -> AsyncGenerator[Sequence[Mapping[str, object]], None]:
        """Yield the rows of a table in which a column names a player, without the columns left out, some at a time."""
        stored = seats_of(identity) if table == match_players.name else metadata.tables[table]
        shown = [each for each in stored.c if each.name not in left_out]
        order = [stored.c[each.name] for each in metadata.tables[table].primary_key]
        found = select(*shown).where(stored.c[column] == identity).order_by(*order)
        rows: Sequence[tuple[object, ...]] = [()] * ROWS_AT_ONCE
        begin = 0
        while len(rows) == ROWS_AT_ONCE:
            rows = await self._database.rows(found.offset(begin).limit(ROWS_AT_ONCE))
            begin += ROWS_AT_ONCE
            if rows:
                yield [dict(zip((each.name for each in shown), row, strict=True)) for row in rows]

    async def statistics(self, now_ms: int, days: int) -> Statistics:
        """Return statistics, with the matches of the latest days."""
        counts = {name: await self._number(count) for name, count in _counts(now_ms).items()}
        storage_bytes = await self._number(_SQLITE_BYTES if self._database.is_sqlite else _POSTGRES_BYTES)
        by_day = await self._by_day((now_ms // DAY_MS - days + 1) * DAY_MS)
        return Statistics(**counts, storage_bytes=storage_bytes, by_day=sorted(by_day.items(), reverse=True))

    async def _by_day(self, since_ms: int) -> dict[str, dict[str, int]]:
        packed = packed_matches.c
        found = select(packed_games.c.game, packed.created_ms).join(packed_games, packed_games.c.number == packed.game)
        # What was created since has also ended since, which the index has.
        found = found.where(packed.ended_ms >= since_ms, packed.created_ms >= since_ms)
        rows = select(matches.c.game, matches.c.created_ms).where(matches.c.created_ms >= since_ms)
        every = union_all(rows, found).subquery().c
        day = (every.created_ms // DAY_MS).label("day")
        counts = select(day, every.game, func.count()).group_by(day, every.game)
        by_day: dict[str, dict[str, int]] = {}
        for number, game, count in await self._database.records(_Day, counts):
            date = datetime.fromtimestamp(number * DAY_MS / 1000, UTC).date().isoformat()
            by_day.setdefault(date, {})[game] = count
        return by_day

    async def _number(self, statement: Executable) -> int:
        return await self._database.value(int, statement) or 0


def _with_restrictions(now_ms: int) -> Select[tuple[object, ...]]:
    is_mute = and_(
        _MUTE.c.identity == accounts.c.id, _MUTE.c.kind == RestrictionKind.MUTE.value, _holds(_MUTE.c, now_ms)
    )
    is_ban = and_(_BAN.c.identity == accounts.c.id, _BAN.c.kind == RestrictionKind.BAN.value)
    who = (accounts.c.id, accounts.c.name, accounts.c.created_ms, accounts.c.is_bot, accounts.c.role)
    return (
        select(*who, _MUTE.c.reason, _MUTE.c.until_ms, _BAN.c.reason)
        .join_from(accounts, _MUTE, is_mute, isouter=True)
        .join(_BAN, is_ban, isouter=True)
    )


def _is_wanted(wanted: AccountFilter) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = [accounts.c.deleted_ms.is_(None)]
    if wanted.name:
        conditions.append(func.lower(accounts.c.name).startswith(wanted.name.lower(), autoescape=True))
    if wanted.role is not None:
        conditions.append(accounts.c.role == wanted.role.value)
    if wanted.has_role:
        conditions.append(accounts.c.role.is_not(None))
    if wanted.is_muted:
        conditions.append(_MUTE.c.identity.is_not(None))
    if wanted.is_banned:
        conditions.append(_BAN.c.identity.is_not(None))
    return conditions


def _counts(now_ms: int) -> dict[str, Executable]:
    begun = events.c.body.like('{"type":"started"%')
    is_begun = select(events.c.seq).where(events.c.match == matches.c.id, begun).exists()
    is_unfinished = matches.c.ended_ms.is_(None)
    all_matches = select(func.count()).select_from(matches)
    packed = select(func.count()).where(packed_matches.c.ended_ms.is_not(None))
    all_accounts = select(func.count()).select_from(accounts).where(accounts.c.deleted_ms.is_(None))
    all_restrictions = select(func.count()).select_from(restrictions)
    is_mute = restrictions.c.kind == RestrictionKind.MUTE.value
    is_void = moderation_log.c.action == ModerationAction.VOID.value
    return {
        "accounts": all_accounts,
        "bots": all_accounts.where(accounts.c.is_bot),
        "banned": all_restrictions.where(restrictions.c.kind == RestrictionKind.BAN.value),
        "muted": all_restrictions.where(is_mute, _holds(restrictions.c, now_ms)),
        "matches": _sum_of(all_matches, packed),
        "live": all_matches.where(is_unfinished, is_begun),
        "waiting": all_matches.where(is_unfinished, ~is_begun),
        "rated": _sum_of(all_matches.where(matches.c.rated, ~is_unfinished), packed.where(packed_matches.c.rated)),
        "void": select(func.count()).select_from(moderation_log).where(is_void),
        "reports_open": select(func.count()).select_from(reports).where(reports.c.outcome.is_(None)),
    }


def _sum_of(one: Select[int], other: Select[int]) -> Select[int]:
    return select(one.scalar_subquery() + other.scalar_subquery())


def _holds(columns: ReadOnlyColumnCollection[str, Any], now_ms: int) -> ColumnElement[bool]:
    """Return whether a restriction has not expired."""
    return or_(columns.until_ms.is_(None), columns.until_ms > now_ms)
