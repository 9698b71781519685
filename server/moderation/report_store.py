"""Stored reports."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Column, Index, func, null, or_, select, text, update
from sqlalchemy.dialects.postgresql import insert
from sqlalchemy.sql.expression import ColumnElement, Executable, ScalarSelect, Select, Subquery
from sqlalchemy.types import BigInteger, Integer, Text

from millrace.protocol import CommandId, IdentityId, MatchId, ModerationAction, NamedPlayer, Player, ReportReason

from ..players.accounts.account_store import accounts
from ..storage.database import Step, Store
from ..storage.tables import define_table, optional, required


class StoredReport(NamedTuple):
    """A report, with a copy of the reported text: a row of `reports` without its handling."""

    reporter_id: IdentityId
    command_id: CommandId
    match: MatchId | None
    player_id: IdentityId
    line: int | None
    text: str
    """The reported chat line, study, imported names, name or profile text. Empty if it is about none of these."""
    reason: ReportReason
    note: str
    """The reporter's own explanation."""
    at_ms: int
    reporter_name: str
    player_name: str
    study: str | None = None

    @property
    def id(self) -> str:
        """The name of the report in messages."""
        return f"{self.reporter_id}/{self.command_id}"

    @property
    def reporter(self) -> NamedPlayer:
        """The player who reports."""
        return NamedPlayer(self.reporter_id, self.reporter_name)

    @property
    def player(self) -> NamedPlayer:
        """The reported player."""
        return NamedPlayer(self.player_id, self.player_name)


class UnsettledReport(NamedTuple):
    """A report that is not settled yet."""

    report: StoredReport
    account_name: str | None
    """The player's present name. None for a guest."""
    taken_by: NamedPlayer | None
    number_about_player: int
    """How many unsettled reports about the player there are."""


class ReportTally(NamedTuple):
    """How many settled reports were upheld, and how many were dismissed."""

    upheld: int = 0
    dismissed: int = 0


reports = define_table(
    "reports",
    ["reporter", "command_id"],
    *required(Text, "reporter", "command_id"),
    *optional(Text, "match"),
    *required(Text, "player"),
    *optional(Integer, "line"),
    *required(Text, "text", "reason", "note"),
    *required(BigInteger, "at_ms"),
    Column("reporter_name", Text, nullable=False, server_default=text("''")),
    Column("player_name", Text, nullable=False, server_default=text("''")),
    *optional(Text, "taken_by", "outcome", "study"),
    *optional(BigInteger, "settled_by"),
)
"""Reports, with a copy of the reported text, which stays when a chat line is removed.

A report is open while `outcome` is null. `taken_by` is the moderator who handles it, `settled_by` the number of the
log entry that settled it."""

Index("reports_at", reports.c.at_ms)
Index("reports_player", reports.c.player)
Index(
    "reports_open",
    reports.c.at_ms,
    sqlite_where=reports.c.outcome.is_(None),
    postgresql_where=reports.c.outcome.is_(None),
)


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


_NAMES = [name.removesuffix("_id") if name in ("reporter_id", "player_id") else name for name in StoredReport._fields]
_STORED = [reports.c[name] for name in _NAMES]
"""The columns of a `StoredReport`."""
_IS_OPEN = reports.c.outcome.is_(None)


class ReportStore(Store):
    """Reports. Every method raises StorageError."""

    async def add(self, report: StoredReport) -> None:
        """Store a report. Storing the same command again changes nothing."""
        row = dict(zip(_NAMES, report, strict=True))
        await self._database.execute(insert(reports).values(row).on_conflict_do_nothing())

    async def open(self, most: int, most_of_player: int) -> Sequence[UnsettledReport]:
        """Return the latest unsettled reports, latest first, and of those about one player up to `most_of_player`."""
        owner, taker = accounts.alias("owner"), accounts.alias("taker")
        about = reports.c.player
        place = func.row_number().over(partition_by=about, order_by=reports.c.at_ms.desc()).label("place")
        number = func.count().over(partition_by=about).label("number")
        ranked = select(*_STORED, reports.c.taken_by, place, number).where(_IS_OPEN).subquery()
        found = (
            select(
                *(ranked.c[name] for name in _NAMES),
                *(owner.c.name, ranked.c.taken_by, taker.c.name.label("taker_name"), ranked.c.number),
            )
            .join_from(ranked, owner, owner.c.id == ranked.c.player, isouter=True)
            .join(taker, taker.c.id == ranked.c.taken_by, isouter=True)
            .where(ranked.c.place <= most_of_player)
            .order_by(ranked.c.at_ms.desc())
            .limit(most)
        )
        return [
            UnsettledReport(stored, handling.account_name, handling.taker, handling.number)
            for stored, handling in await self._database.pairs(StoredReport, _Handling, found)
        ]

    async def take(self, player: IdentityId, by: IdentityId) -> bool:
        """Assign the open reports about a player to a moderator.

        Returns False if another moderator has taken them, or if there are none.
        """
        other = reports.alias("other")
        is_taken = select(other.c.reporter).where(other.c.player == player, other.c.outcome.is_(None))
        # The row itself is compared too: of two moderators who take it at once, the second must see the first's change.
        is_free = or_(reports.c.taken_by.is_(None), reports.c.taken_by == by)
        is_wanted = (reports.c.player == player, _IS_OPEN, is_free, ~is_taken.where(other.c.taken_by != by).exists())
        return await self._database.execute(update(reports).where(*is_wanted).values(taken_by=by)) > 0

    async def release(self, player: IdentityId, by: IdentityId) -> None:
        """Release the open reports about a player that a moderator had taken."""
        is_own = (reports.c.player == player, reports.c.taken_by == by, _IS_OPEN)
        await self._database.execute(update(reports).where(*is_own).values(taken_by=null()))

    async def upheld_by(self, number: int) -> Sequence[StoredReport]:
        """Return the reports that a log entry upheld."""
        is_upheld = (reports.c.settled_by == number, reports.c.outcome == ModerationAction.UPHOLD.value)
        return await self._database.records(StoredReport, select(*_STORED).where(*is_upheld))

    async def name_of_reported(self, identity: IdentityId) -> str | None:
        """Return the name that a player had when last reported."""
        named = select(reports.c.player_name).where(reports.c.player == identity, reports.c.player_name != "")
        return await self._database.value(str, named.order_by(reports.c.at_ms.desc()).limit(1))

    async def tallies_of_reporters(self) -> dict[IdentityId, ReportTally]:
        """Return the tallies of settled reports by the players whose reports are open."""
        return await self._tallies(_counts(reports.c.reporter).where(_has_open(reports.c.reporter)))

    async def tallies_of_reported(self) -> dict[IdentityId, ReportTally]:
        """Return the tallies of settled reports about the players who are reported now."""
        return await self._tallies(_counts(reports.c.player).where(_has_open(reports.c.player)))

    async def tally_about(self, player: IdentityId) -> ReportTally:
        """Return the tally of settled reports about a player."""
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


def settling_step(report: str, outcome: ModerationAction, by: str, number: ScalarSelect[Any]) -> Step:
    """Return the step that settles a report by an entry of the log, unless the report is about the moderator."""
    settling = update(reports).where(*_is_report(report), reports.c.player != by, _IS_OPEN)
    return Step(settling.values(outcome=outcome.value, settled_by=number))


def select_upheld(report: str, number: ScalarSelect[Any]) -> Subquery:
    """Return the query for a report, `(reporter, player, match)`, if that entry of the log has upheld it."""
    is_upheld = (reports.c.outcome == ModerationAction.UPHOLD.value, reports.c.settled_by == number)
    found = select(reports.c.reporter, reports.c.player, reports.c.match)
    return found.where(*_is_report(report), *is_upheld).subquery("upheld")


def deletion_steps(identity: IdentityId, replacement: Player) -> list[Step]:
    """Return the steps that put another player into the reports by and about a player, and release the reports."""
    by, about = (update(reports).where(column == identity) for column in (reports.c.reporter, reports.c.player))
    releasing = update(reports).where(reports.c.outcome.is_(None), reports.c.taken_by == identity)
    return [
        Step(by.values(reporter=replacement.id, reporter_name=replacement.name)),
        Step(about.values(player=replacement.id, player_name=replacement.name)),
        Step(releasing.values(taken_by=null())),
    ]


def _is_report(report: str) -> tuple[ColumnElement[bool], ColumnElement[bool]]:
    reporter, _, command_id = report.partition("/")
    return reports.c.reporter == reporter, reports.c.command_id == command_id
