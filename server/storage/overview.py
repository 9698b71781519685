"""The whole of a database at a glance: what `server.moderation.overview.Overview` promises, with its SQL."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import cast

from sqlalchemy import ColumnElement, Executable, Select, and_, bindparam, func, literal_column, or_, select

from ..accounts.restriction_store import Restriction, RestrictionKind
from ..moderation.overview import AccountFilter, AccountLine, Statistics
from ..protocol import IdentityId, Role
from .statements import EMPTY, ONE, ZERO, compile_text
from .tables import accounts, events, matches, measures, moderation_log, reports
from .writer import Database

DAY_MS = 86_400_000

_DAY: ColumnElement[int] = literal_column(str(DAY_MS))
_STORAGE_BYTES = {
    "sqlite": "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()",
    "postgresql": "SELECT pg_database_size(current_database())",
}


class DatabaseOverview:
    """An `Overview`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._accounts = compile_text(database.dialect, _accounts(), *_PARAMETERS)
        self._counts = {name: compile_text(database.dialect, count) for name, count in _counts().items()}
        self._muted = compile_text(database.dialect, _muted(), "now_ms")
        self._by_day = compile_text(database.dialect, _by_day(), "since_ms")
        self._storage_bytes = _STORAGE_BYTES[database.dialect.name]

    async def accounts(self, wanted: AccountFilter, now_ms: int, limit: int) -> Sequence[AccountLine]:
        """Return accounts, by name. Raises: StorageError."""
        name = wanted.name.lower()
        role = wanted.role or ""
        flags = (int(not wanted.has_role), int(not wanted.is_muted), int(not wanted.is_banned))
        parameters = (now_ms, len(name), name, role, role, *flags, limit)
        return [_line(row) for row in await self._database.fetch(self._accounts, *parameters)]

    async def statistics(self, now_ms: int, days: int) -> Statistics:
        """Return counts, those of matches by day for so many days. Raises: StorageError."""
        counts = {name: await self._number(count) for name, count in self._counts.items()}
        since_ms = (now_ms // DAY_MS - days + 1) * DAY_MS
        rows = await self._database.fetch(self._by_day, since_ms)
        by_day: dict[str, dict[str, int]] = {}
        for day, game, count in cast("Sequence[tuple[int, str, int]]", rows):
            date = datetime.fromtimestamp(day * DAY_MS / 1000, UTC).date().isoformat()
            by_day.setdefault(date, {})[game] = count
        return Statistics(
            **counts,
            muted=await self._number(self._muted, now_ms),
            storage_bytes=await self._number(self._storage_bytes),
            by_day=sorted(by_day.items(), reverse=True),
        )

    async def close(self) -> None:
        """Let go of the database."""
        await self._database.close()

    async def _number(self, statement: str, *parameters: object) -> int:
        rows = await self._database.fetch(statement, *parameters)
        return int(cast(int, rows[0][0]))


_PARAMETERS = ("now_ms", "length", "beginning", "any_role", "role", "any_standing", "any_voice", "any_access", "most")


def _accounts() -> Select[tuple[object, ...]]:
    mute, ban = measures.alias("mute"), measures.alias("ban")
    is_mute = and_(
        mute.c.identity == accounts.c.id,
        mute.c.kind == literal_column(f"'{RestrictionKind.MUTE}'"),
        or_(mute.c.until_ms.is_(None), mute.c.until_ms > bindparam("now_ms")),
    )
    is_ban = and_(ban.c.identity == accounts.c.id, ban.c.kind == literal_column(f"'{RestrictionKind.BAN}'"))
    number = accounts.c.created_ms.type
    who = (accounts.c.id, accounts.c.name, accounts.c.created_ms, accounts.c.is_bot, accounts.c.role)
    found = (
        select(*who, mute.c.words, mute.c.until_ms, ban.c.words)
        .join_from(accounts, mute, is_mute, isouter=True)
        .join(ban, is_ban, isouter=True)
    )
    begins = func.substr(func.lower(accounts.c.name), ONE, bindparam("length", type_=events.c.seq.type))
    return (
        found.where(
            accounts.c.deleted_ms.is_(None),
            begins == bindparam("beginning"),
            or_(
                bindparam("any_role", type_=accounts.c.name.type) == EMPTY,
                accounts.c.role == bindparam("role"),
            ),
            or_(bindparam("any_standing", type_=number) == ONE, accounts.c.role.is_not(None)),
            or_(bindparam("any_voice", type_=number) == ONE, mute.c.identity.is_not(None)),
            or_(bindparam("any_access", type_=number) == ONE, ban.c.identity.is_not(None)),
        )
        .order_by(func.lower(accounts.c.name))
        .limit(bindparam("most"))
        .offset(ZERO)
    )


def _counts() -> dict[str, Executable]:
    has_account = accounts.c.deleted_ms.is_(None)
    begun = events.c.body.like(literal_column("""'{"type":"started"%'"""))
    is_begun = select(events.c.seq).where(events.c.match == matches.c.id, begun).exists()
    is_unfinished = matches.c.ended_ms.is_(None)
    all_matches = select(func.count()).select_from(matches)
    all_accounts = select(func.count()).select_from(accounts).where(has_account)
    is_ban = measures.c.kind == literal_column(f"'{RestrictionKind.BAN}'")
    is_void = moderation_log.c.deed == literal_column("'void'")
    return {
        "accounts": all_accounts,
        "bots": all_accounts.where(accounts.c.is_bot),
        "banned": select(func.count()).select_from(measures).where(is_ban),
        "matches": all_matches,
        "live": all_matches.where(is_unfinished, is_begun),
        "waiting": all_matches.where(is_unfinished, ~is_begun),
        "rated": all_matches.where(matches.c.rated, ~is_unfinished),
        "void": select(func.count()).select_from(moderation_log).where(is_void),
        "reports_open": select(func.count()).select_from(reports).where(reports.c.outcome.is_(None)),
    }


def _muted() -> Executable:
    is_mute = measures.c.kind == literal_column(f"'{RestrictionKind.MUTE}'")
    holds = or_(measures.c.until_ms.is_(None), measures.c.until_ms > bindparam("now_ms"))
    return select(func.count()).select_from(measures).where(is_mute, holds)


def _by_day() -> Select[tuple[int, str, int]]:
    day = (matches.c.created_ms // _DAY).label("day")
    return (
        select(day, matches.c.game, func.count())
        .where(matches.c.created_ms >= bindparam("since_ms"))
        .group_by(day, matches.c.game)
    )


def _line(row: Sequence[object]) -> AccountLine:
    identity, name, created_ms, is_bot, role, muted, until_ms, banned = cast(
        "tuple[IdentityId, str, int, bool, str | None, str | None, int | None, str | None]", tuple(row)
    )
    mute = None if muted is None else Restriction(muted, until_ms)
    ban = None if banned is None else Restriction(banned)
    return AccountLine(identity, name, created_ms, bool(is_bot), None if role is None else Role(role), mute, ban)
