"""The open reports as moderators see them: by player, with what earlier reports came to.

Pure but for what it reads.
"""

from collections.abc import Mapping

from ..accounts.restrictions import Standings
from ..protocol import Case, IdentityId, Named, OpenReport
from .store import OpenEntry, ReportStore, Tally

MOST_REPORTS = 300
"""So many of the latest open reports are shown."""


class ReportQueue:
    """The open reports."""

    def __init__(self, store: ReportStore, standings: Standings) -> None:
        self._store = store
        self._standings = standings

    async def cases(self) -> tuple[Case, ...]:
        """Return the open reports by player, the player of the latest first. Raises: StorageError."""
        entries = await self._store.open(MOST_REPORTS)
        by_reporter = await self._store.tallies_of_reporters()
        about = await self._store.tallies_of_reported()
        by_player: dict[IdentityId, list[OpenEntry]] = {}
        for entry in entries:
            by_player.setdefault(entry.report.player.id, []).append(entry)
        return tuple(
            self._case(of_player, by_reporter, about.get(player, Tally())) for player, of_player in by_player.items()
        )

    def _case(self, entries: list[OpenEntry], by_reporter: Mapping[IdentityId, Tally], about: Tally) -> Case:
        player, name = entries[0].report.player, entries[0].account_name
        return Case(
            player if name is None else Named(player.id, name),
            name is not None,
            about.upheld,
            self._standings.mute_of(player.id) is not None,
            self._standings.closure_of(player.id) is not None,
            next((entry.taken_by for entry in entries if entry.taken_by is not None), None),
            tuple(_open_report(entry, by_reporter) for entry in entries),
        )


def _open_report(entry: OpenEntry, by_reporter: Mapping[IdentityId, Tally]) -> OpenReport:
    report = entry.report
    tally = by_reporter.get(report.reporter.id, Tally())
    about = (report.match, report.line, report.text)
    return OpenReport(
        report.id, report.reporter, tally.upheld, tally.dismissed, *about, report.reason, report.words, report.at_ms
    )
