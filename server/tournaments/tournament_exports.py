"""A tournament as JSON, by GET: its plan, its standings and all its matches."""

import re
from collections.abc import Iterable
from http import HTTPStatus

import msgspec

from millrace.protocol import Code, MatchId, Standing, TournamentId, TournamentPlan, TournamentStatus
from millrace.protocol.refusal import Refusal

from ..callers.feature import Feature
from ..callers.resources import ResourceRequest, ResourceResponse, error_response
from ..journal.unavailable import refusing_failures
from .events import AnyEvent, Scored, WavePaired
from .tournament import Tournament
from .tournament_store import TournamentStore
from .tournament_views import PlayerOf, snapshot_of
from .tournaments import Tournaments

FRESH_SECONDS = 3600
"""Time for which a tournament that is over may be cached; it changes only when a player is renamed or disqualified."""


class ExportedMatch(msgspec.Struct, frozen=True):
    """A match of a tournament."""

    match: MatchId
    players: tuple[str, str]
    """The names, by seat."""
    table: int
    paired_at_ms: int
    ended_at_ms: int | None = None
    """None if it has not ended in time."""
    ranks: tuple[int, int] | None = None
    """By seat: 1 for a win and 2 for a loss, or both 1 for a draw; None without a result."""
    plies: int | None = None
    berserk: tuple[int, ...] = ()
    """The seats that had halved their time."""


class ExportedTournament(msgspec.Struct, frozen=True):
    """A tournament with all that happened in it."""

    tournament: TournamentId
    plan: TournamentPlan
    by: str
    status: TournamentStatus
    ends_at_ms: int
    standings: tuple[Standing, ...]
    matches: tuple[ExportedMatch, ...]
    """In the order in which they were paired."""


def export_of(
    tournament: Tournament, events: Iterable[tuple[AnyEvent, int]], player_of: PlayerOf
) -> ExportedTournament:
    """Return a tournament for export. `events` are all of its events, each with its time."""
    summary, standings, *_ = snapshot_of(tournament, player_of)
    matches = dict[MatchId, ExportedMatch]()
    for event, at_ms in events:
        if isinstance(event, WavePaired):
            for pair in event.pairs:
                first, second = (player_of(identity).name for identity in pair.players)
                matches[pair.match] = ExportedMatch(pair.match, (first, second), pair.table, at_ms)
        elif isinstance(event, Scored):
            matches[event.match] = msgspec.structs.replace(
                matches[event.match], ended_at_ms=at_ms, ranks=event.ranks, plies=event.plies, berserk=event.berserk
            )
    return ExportedTournament(
        tournament.id, tournament.plan, summary.by, summary.status, summary.ends_at_ms, standings, (*matches.values(),)
    )


class TournamentExportHandler(Feature):
    """Answers GETs for tournaments."""

    def __init__(self, tournaments: Tournaments, store: TournamentStore) -> None:
        self._tournaments = tournaments
        self._store = store
        self.resources = ((re.compile(r"/tournament/(?P<tournament>\w{1,32})\.json"), self.one),)

    async def one(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with a tournament."""
        try:
            tournament = await self._tournaments.find(TournamentId(asked.names["tournament"]))
            with refusing_failures("tournament not read", "look this up"):
                events = await self._store.events(tournament.id)
        except Refusal as refusal:
            is_unknown = refusal.code is Code.UNKNOWN_TOURNAMENT
            status = HTTPStatus.NOT_FOUND if is_unknown else HTTPStatus.SERVICE_UNAVAILABLE
            return error_response(status, refusal.message)
        body = msgspec.json.encode(export_of(tournament, events[: tournament.seq], self._tournaments.player))
        headers = {
            "Content-Disposition": f'attachment; filename="millrace-tournament-{tournament.id}.json"',
            "Cache-Control": f"public, max-age={FRESH_SECONDS}" if tournament.status == "over" else "no-store",
            # Pages of other sites may read public content.
            "Access-Control-Allow-Origin": "*",
        }
        return ResourceResponse(body, "application/json", headers=headers)
