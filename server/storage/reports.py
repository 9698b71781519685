"""Reports in a database: implements `server.moderation.moderation_store.ReportStore`."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Column, ColumnElement, Executable, Select, func, null, or_, select, update
from sqlalchemy.dialects.postgresql import insert

from millrace.protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, ReportReason

from ..moderation.moderation_store import ReportTally, StoredReport, UnsettledReport
from .database import Database
from .tables import accounts, reports


class _ReportRow(NamedTuple):
    """A row of `reports`, but for what becomes of it."""

    reporter: IdentityId
    command_id: CommandId
    match: MatchId | None
    player: IdentityId
    line: int | None
    text: str
    reason: ReportReason
    note: str
    at_ms: int
    reporter_name: str
    player_name: str

    @property
    def entry(self) -> StoredReport:
        reporter, player = NamedPlayer(self.reporter, self.reporter_name), NamedPlayer(self.player, self.player_name)
        about = (self.match, player, self.line, self.text)
        return StoredReport(reporter, self.command_id, *about, self.reason, self.note, self.at_ms)


class _Handling(NamedTuple):
    account_name: str | None
    taken_by: IdentityId | None
    taker_name: str | None
    number: int

    @property
    def taker(self) -> NamedPlayer | None:
        return None if self.taken_by is None else NamedPlayer(self.taken_by, self.taker_name or "")


class _Count(NamedTuple):
    identity: IdentityId
    outcome: ModerationAction
    number: int


_STORED = [reports.c[name] for name in _ReportRow._fields]
_IS_OPEN = reports.c.outcome.is_(None)


class DatabaseReports:
    """A `ReportStore`; `server.storage.opening` makes it."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, report: StoredReport) -> None:
        """Store a report; the same command again changes nothing. Raises: StorageError."""
        about = (report.match, report.player.id, report.line, report.text)
        said = (report.reason, report.note, report.at_ms)
        names = (report.reporter.name, report.player.name)
        row = _ReportRow(report.reporter.id, report.command_id, *about, *said, *names)
        await self._database.execute(insert(reports).values(row._asdict()).on_conflict_do_nothing())

    async def open(self, most: int, most_of_player: int) -> Sequence[UnsettledReport]:
        """Return the latest reports that are not settled, up to `most`, the latest first, and of those about one player
        up to `most_of_player`. Raises: StorageError."""
        owner, taker = accounts.alias("owner"), accounts.alias("taker")
        about = reports.c.player
        place = func.row_number().over(partition_by=about, order_by=reports.c.at_ms.desc()).label("place")
        number = func.count().over(partition_by=about).label("number")
        ranked = select(*_STORED, reports.c.taken_by, place, number).where(_IS_OPEN).subquery()
        found = (
            select(
                *(ranked.c[name] for name in _ReportRow._fields),
                *(owner.c.name, ranked.c.taken_by, taker.c.name.label("taker_name"), ranked.c.number),
            )
            .join_from(ranked, owner, owner.c.id == ranked.c.player, isouter=True)
            .join(taker, taker.c.id == ranked.c.taken_by, isouter=True)
            .where(ranked.c.place <= most_of_player)
            .order_by(ranked.c.at_ms.desc())
            .limit(most)
        )
        return [
            UnsettledReport(stored.entry, handling.account_name, handling.taker, handling.number)
            for stored, handling in await self._database.pairs(_ReportRow, _Handling, found)
        ]

    async def take(self, player: IdentityId, by: IdentityId) -> bool:
        """Assign the open reports about a player to a moderator.

        Returns False if another moderator has them or if there are none. Raises: StorageError.
        """
        other = reports.alias("other")
        is_taken = select(other.c.reporter).where(other.c.player == player, other.c.outcome.is_(None))
        # The row itself is compared too: of two moderators who take it at once, the second must see the first's change.
        is_free = or_(reports.c.taken_by.is_(None), reports.c.taken_by == by)
        is_wanted = (reports.c.player == player, _IS_OPEN, is_free, ~is_taken.where(other.c.taken_by != by).exists())
        return await self._database.execute(update(reports).where(*is_wanted).values(taken_by=by)) > 0

    async def release(self, player: IdentityId, by: IdentityId) -> None:
        """Unassign the open reports about a player from a moderator. Raises: StorageError."""
        is_own = (reports.c.player == player, reports.c.taken_by == by, _IS_OPEN)
        await self._database.execute(update(reports).where(*is_own).values(taken_by=null()))

    async def upheld_by(self, number: int) -> Sequence[StoredReport]:
        """Return the reports that an entry of the log has upheld. Raises: StorageError."""
        is_upheld = (reports.c.settled_by == number, reports.c.outcome == ModerationAction.UPHOLD.value)
        stored = await self._database.records(_ReportRow, select(*_STORED).where(*is_upheld))
        return [row.entry for row in stored]

    async def tallies_of_reporters(self) -> dict[IdentityId, ReportTally]:
        """Return the outcomes of earlier reports by the reporters of open reports. Raises: StorageError."""
        return await self._tallies(_counts(reports.c.reporter).where(_has_open(reports.c.reporter)))

    async def tallies_of_reported(self) -> dict[IdentityId, ReportTally]:
        """Return the outcomes of earlier reports about the players of open reports. Raises: StorageError."""
        return await self._tallies(_counts(reports.c.player).where(_has_open(reports.c.player)))

    async def tally_about(self, player: IdentityId) -> ReportTally:
        """Return the outcomes of the settled reports about a player. Raises: StorageError."""
        tallies = await self._tallies(_counts(reports.c.player).where(reports.c.player == player))
        return tallies.get(player, ReportTally())

    async def _tallies(self, statement: Executable) -> dict[IdentityId, ReportTally]:
        tallies: dict[IdentityId, ReportTally] = {}
        for identity, outcome, number in await self._database.records(_Count, statement):
            before = tallies.get(identity, ReportTally())
            is_upheld = outcome is ModerationAction.UPHOLD
            tallies[identity] = before._replace(upheld=number) if is_upheld else before._replace(dismissed=number)
        return tallies


def _counts(who: Column[str]) -> Select[tuple[str, str | None, int]]:
    is_settled = reports.c.outcome.is_not(None)
    return select(who, reports.c.outcome, func.count()).where(is_settled).group_by(who, reports.c.outcome)


def _has_open(who: Column[str]) -> ColumnElement[bool]:
    return who.in_(select(who).where(_IS_OPEN))
