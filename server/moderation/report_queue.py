"""The open reports for moderators: grouped by player, with counts of earlier reports."""

from collections.abc import Mapping, Sequence

from millrace.protocol import IdentityId, NamedPlayer, OpenReport, ReportedPlayer

from ..callers.restrictions import Restrictions
from .report_store import ReportStore, ReportTally, UnsettledReport

MAX_REPORTS = 300
"""Maximum number of open reports shown, the latest first."""
MAX_REPORTS_OF_PLAYER = 10
"""Maximum number of reports shown about one player, so that they cannot hide those about others."""

_NO_REPORTS = ReportTally()


async def read_queue(store: ReportStore, restrictions: Restrictions) -> tuple[ReportedPlayer, ...]:
    """Return the open reports by player, the player with the latest report first. Raises: StorageError."""
    by_reporter = await store.tallies_of_reporters()
    by_reported = await store.tallies_of_reported()
    of_players: dict[IdentityId, list[UnsettledReport]] = {}
    for unsettled in await store.open(MAX_REPORTS, MAX_REPORTS_OF_PLAYER):
        of_players.setdefault(unsettled.report.player.id, []).append(unsettled)
    return tuple(
        _reported_player(reports, by_reporter, by_reported.get(player, _NO_REPORTS), restrictions)
        for player, reports in of_players.items()
    )


def _reported_player(
    reports: Sequence[UnsettledReport],
    by_reporter: Mapping[IdentityId, ReportTally],
    tally: ReportTally,
    restrictions: Restrictions,
) -> ReportedPlayer:
    player, name = reports[0].report.player, reports[0].account_name
    return ReportedPlayer(
        player=player if name is None else NamedPlayer(player.id, name),
        registered=name is not None,
        upheld=tally.upheld,
        muted=restrictions.mute_of(player.id) is not None,
        banned=restrictions.ban_of(player.id) is not None,
        taken_by=next((each.taken_by for each in reports if each.taken_by is not None), None),
        reports=tuple(_open_report(each, by_reporter) for each in reports),
        further=max(0, reports[0].number_about_player - len(reports)),
    )


def _open_report(unsettled: UnsettledReport, by_reporter: Mapping[IdentityId, ReportTally]) -> OpenReport:
    report = unsettled.report
    tally = by_reporter.get(report.reporter.id, _NO_REPORTS)
    return OpenReport(
        id=report.id,
        by=report.reporter,
        upheld=tally.upheld,
        dismissed=tally.dismissed,
        match=report.match,
        line=report.line,
        text=report.text,
        reason=report.reason,
        note=report.note,
        at_ms=report.at_ms,
        study=report.study,
    )
