"""Reports in a database: what `server.moderation.store.ReportStore` promises, with its SQL.

They are settled together with an entry of the log (`server.storage.moderation`).
"""

from collections.abc import Sequence
from typing import cast

from sqlalchemy import (
    BindParameter,
    Column,
    Executable,
    and_,
    bindparam,
    func,
    literal_column,
    null,
    or_,
    select,
    update,
)
from sqlalchemy.dialects import postgresql

from ..moderation.store import ReportTally, StoredReport, UnsettledReport
from ..protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, ReportReason
from .statements import ZERO, compile_text
from .tables import accounts, reports
from .writer import Database, Step

_IS_OPEN = reports.c.outcome.is_(None)
_STORED = (
    *("reporter", "command_id", "match", "player", "line", "text", "reason", "words", "at_ms"),
    *("reporter_name", "player_name"),
)


class DatabaseReports:
    """A `ReportStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

        def text(statement: Executable, *parameters: str) -> str:
            return compile_text(database.dialect, statement, *parameters)

        self._add = text(_add(), *_STORED)
        self._open = text(_open(), "most")
        self._take = text(_take(), "taker", "about", "also_taker", "also_about", "other_taker")
        self._leave = text(_leave(), "about", "taker")
        self._upheld = text(_upheld(), "number")
        self._by_reporter = text(_tallies(reports.c.reporter, of_open=True))
        self._by_player = text(_tallies(reports.c.player, of_open=True))
        self._about = text(_tallies(reports.c.player, of_open=False), "whom")
        self._forget = (
            text(_forget("reporter"), "nobody", "nobodys_name", "former"),
            text(_forget("player"), "nobody", "nobodys_name", "former"),
        )
        self._free = text(
            update(reports).where(_IS_OPEN, reports.c.taken_by == bindparam("former")).values(taken_by=null()), "former"
        )

    async def add(self, report: StoredReport) -> None:
        """Store a report; the same command again changes nothing. Raises: StorageError."""
        about = (report.match, report.player.id, report.line, report.text)
        said = (report.reason, report.note, report.at_ms)
        names = (report.reporter.name, report.player.name)
        await self._database.execute(self._add, report.reporter.id, report.command_id, *about, *said, *names)

    async def open(self, most: int) -> Sequence[UnsettledReport]:
        """Return the latest reports that nobody has settled, the latest first. Raises: StorageError."""
        return [_open_entry(row) for row in await self._database.fetch(self._open, most)]

    async def take(self, player: IdentityId, by: IdentityId) -> bool:
        """Have a moderator see to the open reports about somebody; False if another does, or if there are none.

        Raises: StorageError.
        """
        return await self._database.transact([Step(self._take, (by, player, by, player, by), must_change=True)])

    async def release(self, player: IdentityId, by: IdentityId) -> None:
        """Have a moderator no longer see to the open reports about somebody. Raises: StorageError."""
        await self._database.execute(self._leave, player, by)

    async def upheld_by(self, number: int) -> Sequence[StoredReport]:
        """Return the reports that an entry of the log has settled as right. Raises: StorageError."""
        return [_report(row) for row in await self._database.fetch(self._upheld, number)]

    async def tallies_of_reporters(self) -> dict[IdentityId, ReportTally]:
        """Return what became of the settled reports of those whose reports are open. Raises: StorageError."""
        return _read_tallies(await self._database.fetch(self._by_reporter))

    async def tallies_of_reported(self) -> dict[IdentityId, ReportTally]:
        """Return what became of the settled reports about those who are reported now. Raises: StorageError."""
        return _read_tallies(await self._database.fetch(self._by_player))

    async def tally_about(self, player: IdentityId) -> ReportTally:
        """Return what became of the settled reports about somebody. Raises: StorageError."""
        return _read_tallies(await self._database.fetch(self._about, player)).get(player, ReportTally())

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to the reports by and about somebody, who sees to none any more. Raises: StorageError."""
        steps = [Step(forget, (nobody.id, nobody.name, identity)) for forget in self._forget]
        await self._database.transact([*steps, Step(self._free, (identity,))])


def _add() -> Executable:
    # PostgreSQL's insert says ON CONFLICT, in words that SQLite shares.
    values = {name: bindparam(name, type_=reports.c[name].type) for name in _STORED}
    return postgresql.insert(reports).values(values).on_conflict_do_nothing()


def _open() -> Executable:
    stored = (reports.c[name] for name in _STORED)
    owner, taker = accounts.alias("owner"), accounts.alias("taker")
    joined = (
        select(*stored, owner.c.name, reports.c.taken_by, taker.c.name)
        .join_from(reports, owner, owner.c.id == reports.c.player, isouter=True)
        .join(taker, taker.c.id == reports.c.taken_by, isouter=True)
    )
    return joined.where(_IS_OPEN).order_by(reports.c.at_ms.desc()).limit(bindparam("most")).offset(ZERO)


def _upheld() -> Executable:
    is_upheld = reports.c.outcome == literal_column(f"'{ModerationAction.UPHOLD}'")
    return select(*(reports.c[name] for name in _STORED)).where(reports.c.settled_by == bindparam("number"), is_upheld)


def _take() -> Executable:
    other = reports.alias("other")
    is_taken = (
        select(other.c.reporter)
        .where(other.c.player == bindparam("also_about"), other.c.outcome.is_(None))
        .where(other.c.taken_by != bindparam("other_taker"))
        .exists()
    )
    # The row itself is looked at too, since of two who take it at once the second must see what the first did.
    is_free = or_(reports.c.taken_by.is_(None), reports.c.taken_by == bindparam("also_taker"))
    about = and_(reports.c.player == bindparam("about"), _IS_OPEN)
    return update(reports).where(about, is_free, ~is_taken).values(taken_by=bindparam("taker"))


def _leave() -> Executable:
    taken = and_(reports.c.player == bindparam("about"), reports.c.taken_by == bindparam("taker"), _IS_OPEN)
    return update(reports).where(taken).values(taken_by=null())


def _tallies(who: Column[str], *, of_open: bool) -> Executable:
    counted = select(who, reports.c.outcome, func.count()).where(reports.c.outcome.is_not(None))
    is_wanted = who.in_(select(who).where(_IS_OPEN)) if of_open else who == bindparam("whom")
    return counted.where(is_wanted).group_by(who, reports.c.outcome)


def _forget(whose: str) -> Executable:
    values: dict[str, BindParameter[str]] = {whose: bindparam("nobody"), f"{whose}_name": bindparam("nobodys_name")}
    return update(reports).where(reports.c[whose] == bindparam("former")).values(values)


def _read_tallies(rows: Sequence[Sequence[object]]) -> dict[IdentityId, ReportTally]:
    tallies: dict[IdentityId, ReportTally] = {}
    for who, outcome, count in cast("Sequence[tuple[IdentityId, str, int]]", rows):
        before = tallies.get(who, ReportTally())
        is_upheld = outcome == ModerationAction.UPHOLD
        tallies[who] = before._replace(upheld=count) if is_upheld else before._replace(dismissed=count)
    return tallies


def _open_entry(row: Sequence[object]) -> UnsettledReport:
    account, taker, takers_name = cast("tuple[str | None, IdentityId | None, str | None]", tuple(row[len(_STORED) :]))
    return UnsettledReport(_report(row), account, None if taker is None else NamedPlayer(taker, takers_name or ""))


def _report(row: Sequence[object]) -> StoredReport:
    reporter, command_id, match, player, line, text, reason, note, at_ms, by_name, name = cast(
        "tuple[IdentityId, CommandId, MatchId | None, IdentityId, int | None, str, ReportReason, str, int, str, str]",
        tuple(row[: len(_STORED)]),
    )
    by, about = NamedPlayer(reporter, by_name), NamedPlayer(player, name)
    return StoredReport(by, command_id, match, about, line, text, reason, note, at_ms)
