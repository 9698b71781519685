"""A tournament by GET: its plan, standings and matches as JSON, and a Swiss as FIDE's tournament report file."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus

import msgspec

from millrace.protocol import Code, MatchId, TournamentId, TournamentPlan, TournamentStatus
from millrace.protocol.refusal import Refusal

from ..archive.clock_texts import format_clock
from ..callers.feature import Feature
from ..callers.resources import PLAIN_TEXT, ResourceRequest, ResourceResponse, error_response
from ..journal.unavailable import refusing_failures
from ..runtime.slices import in_slices
from .events import AnyEvent, Scored, WavePaired
from .kinds.all_kinds import standings_of
from .kinds.rounds import by_strength
from .kinds.swiss import report_of
from .pairing.report_file import Report, format_report
from .tournament import Tournament
from .tournament_store import TournamentStore
from .tournament_views import PlayerOf, standing_of, summary_of
from .tournaments import Tournaments

_encode = msgspec.json.Encoder().encode

FRESH_SECONDS = 3600
"""Time for which a tournament that is over may be cached; it changes only when a player is renamed or disqualified."""


class ExportedMatch(msgspec.Struct, frozen=True):
    """A match of a tournament."""

    match: MatchId
    players: tuple[str, ...]
    """The names, by seat."""
    round: int
    """Or the wave of an arena for two seats, from 1."""
    table: int
    paired_at_ms: int
    ended_at_ms: int | None = None
    """None if it has not ended in time."""
    ranks: tuple[int, ...] | None = None
    """By seat: 1 for a win and 2 for a loss, or both 1 for a draw; None without a result. At a table, the places."""
    plies: int | None = None
    berserk: tuple[int, ...] = ()
    """The seats that had halved their time."""
    left: tuple[int, ...] = ()
    """The seats whose players have left a table."""
    cells: tuple[int, ...] | None = None
    """By seat, at a table whose match was played to its end."""
    seed: int | None = None
    """Chose the pasture of a table."""


class ExportedTournament(msgspec.Struct, frozen=True):
    """A tournament with all that happened in it."""

    tournament: TournamentId
    plan: TournamentPlan
    by: str
    status: TournamentStatus
    ends_at_ms: int
    standings: msgspec.Raw
    """A list of `Standing`."""
    matches: msgspec.Raw
    """A list of `ExportedMatch`, in the order in which they were paired."""


async def exported(
    tournament: Tournament, events: Iterable[tuple[AnyEvent, int]], player_of: PlayerOf
) -> ExportedTournament:
    """Return a tournament for export, made in slices. `events` are all of its events, each with its time."""
    ranked = in_slices(enumerate(standings_of(tournament), 1))
    standings = [_encode(standing_of(tournament, each, rank, player_of)) async for rank, each in ranked]
    summary = summary_of(tournament, player_of)
    matches = dict[MatchId, ExportedMatch]()
    round_ = 0
    async for event, at_ms in in_slices(events):
        if isinstance(event, WavePaired):
            round_ += 1
            for pair in event.pairs:
                names = tuple(player_of(identity).name for identity in pair.players)
                matches[pair.match] = ExportedMatch(pair.match, names, round_, pair.table, at_ms, seed=event.seed)
        elif isinstance(event, Scored):
            matches[event.match] = msgspec.structs.replace(
                matches[event.match],
                ended_at_ms=at_ms,
                ranks=event.ranks,
                plies=event.plies,
                berserk=event.berserk,
                left=event.left,
                cells=event.cells,
            )
    return ExportedTournament(
        tournament.id,
        tournament.plan,
        summary.by,
        summary.status,
        summary.ends_at_ms,
        _list_of(standings),
        _list_of([_encode(match) async for match in in_slices(matches.values())]),
    )


def _list_of(encoded: Iterable[bytes]) -> msgspec.Raw:
    return msgspec.Raw(b"[%b]" % b",".join(encoded))


def report_text_of(tournament: Tournament, player_of: PlayerOf) -> str:
    """Return a Swiss as a tournament report file."""
    swiss = report_of(tournament)
    named = zip(swiss.entrants, by_strength(tournament), strict=True)
    entrants = tuple(replace(entrant, name=player_of(player.identity).name) for entrant, player in named)
    start = datetime.fromtimestamp(tournament.plan.starts_at_ms / 1000, UTC)
    headers = (
        f"012 {' '.join(tournament.plan.name.split())}",
        f"042 {start:%Y/%m/%d}",
        f"062 {len(entrants)}",
        "092 Individual: Swiss-System (Dutch)",
        f"102 {player_of(tournament.by).name}",
        f"122 {format_clock(tournament.plan.clock)}",
    )
    return format_report(Report(replace(swiss, entrants=entrants), headers))


class TournamentExportHandler(Feature):
    """Answers GETs for tournaments."""

    def __init__(self, tournaments: Tournaments, store: TournamentStore) -> None:
        self._tournaments = tournaments
        self._store = store
        path = r"/tournament/(?P<tournament>\w{1,32})\."
        self.resources = ((re.compile(path + "json"), self.one), (re.compile(path + "trf"), self.report))

    async def one(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with a tournament."""
        try:
            tournament = await self._find(asked)
            with refusing_failures("tournament not read", "look this up"):
                events = await self._store.events(tournament.id)
        except Refusal as refusal:
            return _refused(refusal)
        body = _encode(await exported(tournament, events[: tournament.seq], self._tournaments.player))
        return _download(tournament, body, "json", "application/json")

    async def report(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the report of a Swiss."""
        try:
            tournament = await self._find(asked)
            if tournament.plan.kind != "swiss":
                raise Refusal(Code.UNKNOWN_TOURNAMENT, "Only Swiss tournaments have a report.")
        except Refusal as refusal:
            return _refused(refusal)
        text = report_text_of(tournament, self._tournaments.player)
        return _download(tournament, text.encode(), "trf", PLAIN_TEXT)

    async def _find(self, asked: ResourceRequest) -> Tournament:
        return await self._tournaments.find(TournamentId(asked.names["tournament"]))


def _refused(refusal: Refusal) -> ResourceResponse:
    is_unknown = refusal.code is Code.UNKNOWN_TOURNAMENT
    return error_response(HTTPStatus.NOT_FOUND if is_unknown else HTTPStatus.SERVICE_UNAVAILABLE, refusal.message)


def _download(tournament: Tournament, body: bytes, ending: str, kind: str) -> ResourceResponse:
    headers = {
        "Content-Disposition": f'attachment; filename="millrace-tournament-{tournament.id}.{ending}"',
        "Cache-Control": f"public, max-age={FRESH_SECONDS}" if tournament.status == "over" else "no-store",
        # Pages of other sites may read public content.
        "Access-Control-Allow-Origin": "*",
    }
    return ResourceResponse(body, kind, headers=headers)
