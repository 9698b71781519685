"""What clients see of a tournament: its line in the list, its standings page by page, and a player's own place.

Pure.
"""

from collections.abc import Callable, Collection

from millrace.protocol import (
    IdentityId,
    MatchId,
    Player,
    Standing,
    TournamentSummary,
    TournamentTable,
    TournamentUpdate,
    TournamentView,
    YourStanding,
)
from millrace.protocol.tournaments import PAGE_ROWS

from .arena_scoring import WIN
from .decisions import can_berserk
from .kinds.all_kinds import kind_of, standings_of
from .kinds.kind import Ranked, Table
from .kinds.rounds import next_round_at_ms
from .tournament import Tournament

SHOWN_BOARDS = 6

PlayerOf = Callable[[IdentityId], Player]


class Snapshot:
    """What is shown of a tournament at a moment. The rows of a page are made when it is first asked for."""

    def __init__(self, tournament: Tournament, player_of: PlayerOf) -> None:
        self._tournament = tournament
        self._player_of = player_of
        self._pages: dict[int, tuple[Standing, ...]] = {}
        self.summary = summary_of(tournament, player_of)
        self.boards = _boards(tournament)
        self.tables = tuple(_table_of(tournament, table, player_of) for table in kind_of(tournament).tables(tournament))
        kept_apart = (_by_name(pair, player_of) for pair in tournament.forbidden if pair <= tournament.entrants.keys())
        self.forbidden = tuple(sorted(kept_apart, key=_names))

    def page(self, number: int) -> tuple[Standing, ...]:
        """Return the rows of a page of the standings, counted from 0."""
        if number not in self._pages:
            first = number * PAGE_ROWS
            rows = standings_of(self._tournament)[first : first + PAGE_ROWS]
            self._pages[number] = tuple(
                standing_of(self._tournament, ranked, rank, self._player_of)
                for rank, ranked in enumerate(rows, first + 1)
            )
        return self._pages[number]

    def view(self, page: int, you: YourStanding | None) -> TournamentView:
        """Return what a new spectator gets."""
        rows, berserk = self.page(page), can_berserk(self._tournament.plan)
        return TournamentView(self.summary, page, rows, self.boards, berserk, you, self.tables, self.forbidden)

    def update(self, before: "Snapshot", page: int) -> TournamentUpdate | None:
        """Return what has changed on a page since another snapshot; None if nothing has."""
        rows, old_rows = self.page(page), before.page(page)
        changed = tuple(row for number, row in enumerate(rows) if number >= len(old_rows) or row != old_rows[number])
        count = len(rows) if len(rows) != len(old_rows) else None
        summary = self.summary if self.summary != before.summary else None
        boards = self.boards if self.boards != before.boards else None
        known = set(before.tables)
        tables = tuple(table for table in self.tables if table not in known)
        forbidden = self.forbidden if self.forbidden != before.forbidden else None
        if not (changed or tables) and (count, summary, boards, forbidden) == (None,) * 4:
            return None
        return TournamentUpdate(self.summary.tournament, page, changed, count, summary, boards, tables, forbidden)


def summary_of(tournament: Tournament, player_of: PlayerOf) -> TournamentSummary:
    """Return the entry of a tournament in the list."""
    winner = None
    if tournament.status == "over":
        first = next(iter(standings_of(tournament)), None)
        winner = None if first is None or not first.has_played else player_of(first.entrant.identity).name
    next_at_ms, deadline_ms = next_round_at_ms(tournament), tournament.deadline_ms
    is_dated = bool(tournament.plan.round_days) or not tournament.pairs
    is_waiting = tournament.has_rounds and tournament.status == "running" and is_dated
    return TournamentSummary(
        tournament.id,
        tournament.plan,
        player_of(tournament.by).name,
        tournament.status,
        tournament.ends_at_ms,
        len(tournament.entrants),
        bool(tournament.password),
        winner,
        len(tournament.rounds),
        kind_of(tournament).rounds(tournament),
        next_at_ms if is_waiting and (deadline_ms is None or next_at_ms < deadline_ms) else None,
    )


def _by_name(pair: Collection[IdentityId], player_of: PlayerOf) -> tuple[Player, Player]:
    one, other = sorted(map(player_of, pair), key=lambda player: player.name)
    return one, other


def _names(pair: tuple[Player, Player]) -> tuple[str, str]:
    return pair[0].name, pair[1].name


def standing_of(tournament: Tournament, ranked: Ranked, rank: int, player_of: PlayerOf) -> Standing:
    """Return a row of the standings."""
    entrant, is_arena = ranked.entrant, tournament.plan.kind == "arena"
    results = entrant.results
    return Standing(
        rank,
        player_of(entrant.identity),
        entrant.rating,
        entrant.provisional,
        ranked.score,
        ranked.points,
        is_arena and entrant.is_on_fire,
        ranked.performance,
        sum(result.outcome == WIN for result in results) + ranked.first_places,
        sum(result.is_berserk for result in results),
        entrant.is_paused,
        entrant.is_disqualified,
        entrant.match if entrant.match in tournament.opened else None,
        ranked.buchholz,
        ranked.sonneborn_berger,
        ranked.is_out,
        entrant.is_accepted,
        None if ranked.difference is None else round(100 * ranked.difference),
    )


def matches_of(tournament: Tournament, identity: IdentityId, player_of: PlayerOf) -> tuple[TournamentTable, ...]:
    """Return the tables at which a player of the tournament has sat, or the counted matches in an arena for two."""
    if tournament.has_rounds:
        tables = kind_of(tournament).tables(tournament)
        return tuple(_table_of(tournament, table, player_of) for table in tables if identity in table.players)
    you = player_of(identity)
    return tuple(
        TournamentTable(
            *(number, 0, (you, player_of(game.opponent)), game.match, (game.result.outcome, WIN - game.result.outcome))
        )
        for number, game in enumerate(tournament.entrants[identity].games, 1)
    )


def _table_of(tournament: Tournament, table: Table, player_of: PlayerOf) -> TournamentTable:
    match = None if table.pair is None else table.pair.match
    is_hidden = match in tournament.pairs and match not in tournament.opened
    return TournamentTable(
        table.round,
        table.number,
        tuple(None if identity is None else player_of(identity) for identity in table.players),
        None if is_hidden else match,
        table.points,
        table.is_forfeit,
        table.is_losers,
    )


def place_of(tournament: Tournament, identity: IdentityId, player_of: PlayerOf) -> YourStanding | None:
    """Return a player's own place; None if the player has not joined."""
    if identity not in tournament.entrants:
        return None
    ordered = enumerate(standings_of(tournament), 1)
    rank, ranked = next((rank, each) for rank, each in ordered if each.entrant.identity == identity)
    return your_standing(tournament, standing_of(tournament, ranked, rank, player_of), player_of)


def your_standing(tournament: Tournament, row: Standing, player_of: PlayerOf) -> YourStanding:
    """Return the own place of the player in a row of the standings."""
    pair = None if row.match is None else tournament.pairs.get(row.match)
    if pair is None:
        return YourStanding(row)
    opponents = tuple(player_of(identity) for identity in pair.players if identity != row.player.id)
    return YourStanding(row, opponents[0], pair.table, opponents)


def _boards(tournament: Tournament) -> tuple[MatchId, ...]:
    """Return the leaders' matches that have been created."""
    matches = (ranked.entrant.match for ranked in standings_of(tournament))
    created = dict.fromkeys(match for match in matches if match is not None and match in tournament.opened)
    return tuple(created)[:SHOWN_BOARDS]
