"""What clients see of a tournament: its line in the list, its standings page by page, and a player's own place.

Pure.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from millrace.protocol import (
    IdentityId,
    MatchId,
    Player,
    Standing,
    TournamentSummary,
    TournamentUpdate,
    TournamentView,
    YourStanding,
)
from millrace.protocol.tournaments import PAGE_ROWS

from .decisions import can_berserk
from .scoring import WIN
from .tournament import Entrant, Tournament

SHOWN_BOARDS = 6

PlayerOf = Callable[[IdentityId], Player]


class Snapshot(NamedTuple):
    """What is shown of a tournament at a moment."""

    summary: TournamentSummary
    standings: tuple[Standing, ...]
    boards: tuple[MatchId, ...]
    berserk: bool

    def page(self, number: int) -> tuple[Standing, ...]:
        """Return the rows of a page of the standings, counted from 0."""
        return self.standings[number * PAGE_ROWS : (number + 1) * PAGE_ROWS]

    def view(self, page: int, you: YourStanding | None) -> TournamentView:
        """Return what a new spectator gets."""
        return TournamentView(self.summary, page, self.page(page), self.boards, self.berserk, you)

    def update(self, before: "Snapshot", page: int) -> TournamentUpdate | None:
        """Return what has changed on a page since another snapshot; None if nothing has."""
        rows, old_rows = self.page(page), before.page(page)
        changed = tuple(row for number, row in enumerate(rows) if number >= len(old_rows) or row != old_rows[number])
        count = len(rows) if len(rows) != len(old_rows) else None
        summary = self.summary if self.summary != before.summary else None
        boards = self.boards if self.boards != before.boards else None
        if not changed and count is None and summary is None and boards is None:
            return None
        return TournamentUpdate(self.summary.tournament, page, changed, count, summary, boards)


def summary_of(tournament: Tournament, player_of: PlayerOf) -> TournamentSummary:
    """Return the entry of a tournament in the list."""
    winner = None
    if tournament.status == "over":
        first = next(iter(tournament.standings), None)
        winner = None if first is None or not first.games else player_of(first.identity).name
    return TournamentSummary(
        tournament.id,
        tournament.plan,
        player_of(tournament.by).name,
        tournament.status,
        tournament.ends_at_ms,
        len(tournament.entrants),
        bool(tournament.password),
        winner,
    )


def snapshot_of(tournament: Tournament, player_of: PlayerOf) -> Snapshot:
    """Return what is shown of a tournament."""
    ordered = tournament.standings
    rows = tuple(standing_of(tournament, entrant, rank, player_of) for rank, entrant in enumerate(ordered, 1))
    return Snapshot(summary_of(tournament, player_of), rows, _boards(rows), can_berserk(tournament.plan))


def standing_of(tournament: Tournament, entrant: Entrant, rank: int, player_of: PlayerOf) -> Standing:
    """Return a row of the standings."""
    results = entrant.results
    return Standing(
        rank,
        player_of(entrant.identity),
        entrant.rating,
        entrant.provisional,
        entrant.score,
        entrant.points,
        entrant.is_on_fire,
        entrant.performance,
        sum(result.outcome == WIN for result in results),
        sum(result.is_berserk for result in results),
        entrant.is_paused,
        entrant.is_disqualified,
        entrant.match if entrant.match in tournament.opened else None,
    )


def place_of(tournament: Tournament, identity: IdentityId, player_of: PlayerOf) -> YourStanding | None:
    """Return a player's own place; None if the player has not joined."""
    for rank, entrant in enumerate(tournament.standings, 1):
        if entrant.identity == identity:
            return your_standing(tournament, standing_of(tournament, entrant, rank, player_of), player_of)
    return None


def your_standing(tournament: Tournament, row: Standing, player_of: PlayerOf) -> YourStanding:
    """Return the own place of the player in a row of the standings."""
    pair = None if row.match is None else tournament.pairs.get(row.match)
    if pair is None:
        return YourStanding(row)
    seat = pair.players.index(row.player.id)
    return YourStanding(row, player_of(pair.players[1 - seat]), pair.table)


def _boards(rows: Sequence[Standing]) -> tuple[MatchId, ...]:
    matches = dict.fromkeys(row.match for row in rows if row.match is not None)
    return tuple(matches)[:SHOWN_BOARDS]
