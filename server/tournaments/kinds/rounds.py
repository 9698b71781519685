"""What tournaments in rounds have in common: when a round starts, and what each player has done in each."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from millrace.protocol import IdentityId

from ..events import Pair, Scored
from ..pairing.swiss_history import Colour, Result, Scoring, Swiss, rounds_missed
from ..pairing.swiss_history import Entrant as SwissEntrant
from ..pairing.swiss_history import Round as SwissRound
from ..pairing.tie_breaks import standings as swiss_standings
from ..tournament import Entrant, Round, Tournament
from .kind import Ranked, Table

DAY_MS = 86_400_000
WIN, DRAW, LOSS = 2, 1, 0
FORFEITS = (Result.FORFEIT_WIN, Result.FORFEIT_LOSS)
LETTERS = (Result.LOSS, Result.DRAW, Result.WIN)
"""By points."""


def next_round_at_ms(tournament: Tournament) -> int:
    """Return when the next round starts, if no match is being played; by date, the latest round ends then too."""
    if tournament.plan.round_days:
        days = len(tournament.rounds) * tournament.plan.round_days
        return tournament.plan.starts_at_ms + days * DAY_MS + tournament.halted_ms
    if not tournament.rounds:
        # Players of an arena need not have joined before the start.
        pause_s = tournament.plan.pause_s if tournament.plan.kind == "arena" else 0
        return tournament.plan.starts_at_ms + pause_s * 1000
    return tournament.scored_at_ms + tournament.plan.pause_s * 1000


def is_round_due(tournament: Tournament, now_ms: int) -> bool:
    """Return whether the next round, if there is one, may start now."""
    return not tournament.pairs and now_ms >= next_round_at_ms(tournament)


def by_strength(tournament: Tournament) -> list[Entrant]:
    """Return the players by rating: the first has pairing number 1, or is the first seed."""
    return sorted(tournament.entrants.values(), key=lambda each: (-each.rating, each.order))


def draw_colour(tournament: Tournament) -> Colour:
    """Draw the lot for the first player's seat in the first round: the tournament's id is random."""
    return list(Colour)[ord(tournament.id[-1]) % 2]


def points_of(scored: Scored) -> tuple[int, int]:
    """Return the half points of a match by seat; without a result, it counts as a draw."""
    if scored.ranks is None or scored.ranks[0] == scored.ranks[1]:
        return DRAW, DRAW
    return (WIN, LOSS) if scored.ranks[0] == 1 else (LOSS, WIN)


class _Met(NamedTuple):
    """What one player did in a round."""

    letter: Result
    opponent: IdentityId | None = None
    colour: Colour | None = None


def swiss_of(tournament: Tournament, rounds: int, scoring: Scoring) -> Swiss:
    """Return a tournament as the pairing and the tie-breaks see it. Matches that are being played are left out, so that
    they count as not played."""
    players, out = by_strength(tournament), _disqualified(tournament)
    numbers = {entrant.identity: number for number, entrant in enumerate(players, 1)}
    met = [_met(each, out) for each in tournament.rounds]
    playing = {identity for pair in tournament.pairs.values() for identity in pair.players}

    def rounds_of(entrant: Entrant) -> tuple[SwissRound, ...]:
        found = list(rounds_missed(entrant.missed_rounds, rounds))
        for each in met[entrant.missed_rounds :]:
            letter, opponent, colour = each.get(entrant.identity, _Met(Result.ZERO_POINT_BYE))
            found.append(SwissRound(letter, None if opponent is None else numbers[opponent], colour))
        return tuple(found[:-1] if entrant.identity in playing else found)

    return Swiss(
        entrants=tuple(SwissEntrant(numbers[each.identity], rounds_of(each), each.rating) for each in players),
        rounds=rounds,
        initial_colour=draw_colour(tournament),
        absent=frozenset(numbers[each.identity] for each in players if each.is_paused),
        forbidden=frozenset(
            frozenset(numbers[each] for each in pair) for pair in tournament.forbidden if pair <= numbers.keys()
        ),
        scoring=scoring,
    )


def _disqualified(tournament: Tournament) -> frozenset[IdentityId]:
    return frozenset(each.identity for each in tournament.entrants.values() if each.is_disqualified)


def _met(round_: Round, out: Collection[IdentityId]) -> Mapping[IdentityId, _Met]:
    found = {identity: _Met(Result.PAIRING_BYE) for identity in round_.byes}
    for winner, loser in round_.walkovers:
        found[winner] = _Met(Result.FORFEIT_WIN, loser)
        found[loser] = _Met(Result.FORFEIT_LOSS, winner)
    for pair in round_.pairs:
        scored = round_.scored.get(pair.match)
        if scored is None:
            continue
        one, other = pair.players
        letters = _letters(pair, scored, out)
        if letters is None:
            found[one] = found[other] = _Met(Result.HALF_POINT_BYE)
        else:
            found[one] = _Met(letters[0], other, Colour.WHITE)
            found[other] = _Met(letters[1], one, Colour.BLACK)
    return found


def _letters(pair: Pair, scored: Scored, out: Collection[IdentityId]) -> tuple[Result, Result] | None:
    """Return the results of a match by seat; None without one. A player who is `out`, or did not come, has lost by
    forfeit."""
    lost = (pair.players[0] in out, pair.players[1] in out)
    if lost == (False, False) and scored.absent is not None:
        lost = (scored.absent == 0, scored.absent == 1)
    if lost != (False, False):
        return FORFEITS[lost[0]], FORFEITS[lost[1]]
    if scored.ranks is None:
        return None
    first, second = points_of(scored)
    return LETTERS[first], LETTERS[second]


def ranked(tournament: Tournament, swiss: Swiss) -> tuple[Ranked, ...]:
    """Return the players by score and tie-breaks, disqualified ones last."""
    players = by_strength(tournament)
    rows = []
    for standing in swiss_standings(swiss):
        rounds = swiss.entrants[standing.number - 1].rounds
        points = tuple(swiss.scoring.points(each.result) for each in rounds)
        entrant = players[standing.number - 1]
        tie_breaks = (standing.performance, standing.buchholz, standing.sonneborn_berger)
        rows.append(Ranked(entrant, standing.points, points, *tie_breaks))
    return tuple(sorted(rows, key=lambda each: each.entrant.is_disqualified))


def tables_of(tournament: Tournament, scoring: Scoring) -> tuple[Table, ...]:
    """Return the tables of all rounds, byes and walkovers after them."""
    tables: list[Table] = []
    out = _disqualified(tournament)
    for number, each in enumerate(tournament.rounds, 1):
        tables += [_table(number, pair, each.scored.get(pair.match), out) for pair in each.pairs]
        first = 1 + len(each.pairs)
        for place, players in enumerate(each.walkovers, first):
            tables.append(Table(number, place, players, points=(WIN, LOSS), is_forfeit=True))
        for place, identity in enumerate(each.byes, first + len(each.walkovers)):
            tables.append(Table(number, place, (identity, None), points=(scoring.pairing_bye, 0)))
    return tuple(tables)


def _table(number: int, pair: Pair, scored: Scored | None, out: Collection[IdentityId]) -> Table:
    if scored is None:
        return Table(number, pair.table, pair.players, pair)
    letters = _letters(pair, scored, out)
    if letters is None or letters[0] not in FORFEITS:
        return Table(number, pair.table, pair.players, pair, points_of(scored))
    points = tuple(WIN if letter is Result.FORFEIT_WIN else LOSS for letter in letters)
    return Table(number, pair.table, pair.players, pair, points, is_forfeit=True)
