"""How well the standings of an arena show the strength of its players, by Millrace's points and by those of lichess.

    python -m benchmarks.arena_order [--players N] [--minutes N] [--arenas N]

Whole arenas are played as values, without server and boards, and the matches of each are scored both ways. Each player
has a strength, and a rating that misses it by about 100 points. A match lasts half to one and a half times as long as
expected, and is won, drawn or lost by the Elo formula.
"""

from collections.abc import Iterable, Sequence
from heapq import heappop, heappush
from itertools import count
from random import Random
from statistics import correlation, fmean
from typing import Annotated

import typer

from millrace.protocol import ClockSettings, IdentityId, MatchId, TournamentId, TournamentPlan
from millrace.server.tournaments.arena_scoring import DRAW, FIRE_AFTER, LOSS, WIN, MatchResult
from millrace.server.tournaments.decisions import wave_of, whom_to_pair
from millrace.server.tournaments.events import Announced, AnyEvent, Begun, Joined, Pair, Scored
from millrace.server.tournaments.kinds.all_kinds import standings_of
from millrace.server.tournaments.kinds.arena import BETWEEN_MS, expected_match_ms
from millrace.server.tournaments.tournament import MINUTE_MS, Entrant, Tournament, after, announced

MEAN, SPREAD = 1500, 300
"""Of the strengths, in Elo points."""
RATING_ERROR = 100
DRAWS = 0.3
"""The share of draws between equals."""
PLIES = (10, 90)
TICK_MS = 2_000
LICHESS_SHORT_DRAW, LICHESS_LONG_DRAW = 20, 60
"""Plies: a shorter draw has no points at lichess, and one as long always has."""


def main(
    players: Annotated[int, typer.Option(min=2, help="Number of players.")] = 200,
    minutes: Annotated[int, typer.Option(min=1, help="Length of an arena.")] = 60,
    arenas: Annotated[int, typer.Option(min=1, help="Number of arenas.")] = 10,
) -> None:
    found = [correlations(players, minutes, ClockSettings(180_000), seed) for seed in range(arenas)]
    here, lichess = (fmean(column) for column in zip(*found, strict=True))
    better = sum(one >= other for one, other in found)
    print(f"rank correlation with strength: {here:.4f} here, {lichess:.4f} by the points of lichess")
    print(f"at least as good here in {better} of {len(found)} arenas")


def simulate(
    players: int, minutes: int, clock: ClockSettings, random: Random
) -> tuple[Tournament, dict[IdentityId, float]]:
    """Return an arena at its end, and the strength of each player."""
    strengths = {IdentityId(f"p{number}"): random.gauss(MEAN, SPREAD) for number in range(players)}
    plan = TournamentPlan("Simulation", "morris", clock, 0, minutes)
    tournament = announced(TournamentId("t"), Announced(plan, IdentityId("organiser")))
    joined: list[AnyEvent] = [
        Joined(each, round(random.gauss(strength, RATING_ERROR)), False) for each, strength in strengths.items()
    ]
    tournament = after(tournament, [(event, 0) for event in (*joined, Begun())])
    playing: list[tuple[int, MatchId, Scored]] = []
    numbers = count()
    for now_ms in range(TICK_MS, minutes * MINUTE_MS, TICK_MS):
        events: list[AnyEvent] = []
        while playing and playing[0][0] <= now_ms:
            events.append(heappop(playing)[2])
        tournament = after(tournament, [(event, now_ms) for event in events])
        question = whom_to_pair(tournament, strengths, now_ms)
        if question is None:
            continue
        wave = wave_of(
            tournament, tournament, question.answer(*question.arguments), (MatchId(f"{each:06}") for each in numbers), 0
        )
        before = tournament.pairs
        tournament = after(tournament, [(event, now_ms) for event in wave])
        for pair in (pair for match, pair in tournament.pairs.items() if match not in before):
            lasts_ms = random.uniform(0.5, 1.5) * (expected_match_ms(clock) - BETWEEN_MS)
            heappush(playing, (now_ms + round(lasts_ms), pair.match, _played(pair, strengths, random)))
    return tournament, strengths


def _played(pair: Pair, strengths: dict[IdentityId, float], random: Random) -> Scored:
    one, other = (strengths[each] for each in pair.players)
    expected = 1 / (1 + 10 ** ((other - one) / 400))
    drawn = 2 * DRAWS * min(expected, 1 - expected)
    chance = random.random()
    ranks = (1, 1) if chance < drawn else (1, 2) if chance < drawn / 2 + expected else (2, 1)
    return Scored(pair.match, ranks, random.randint(*PLIES))


def lichess_points(results: Iterable[MatchResult]) -> int:
    """Return a score by the rules that lichess publishes (https://lichess.org/tournament/help), without berserk.

    Of draws in a row, which only a win ends, the first alone has points, unless they are long.

    >>> win, draw, loss = (MatchResult(outcome, 40, 1500) for outcome in (WIN, DRAW, LOSS))
    >>> lichess_points([win, win, draw]), lichess_points([draw, loss, draw]), lichess_points([draw, win, draw])
    (6, 1, 4)
    """
    points, wins, has_drawn = 0, 0, False
    for result in results:
        is_short = result.plies < LICHESS_SHORT_DRAW or (has_drawn and result.plies < LICHESS_LONG_DRAW)
        if result.outcome != DRAW or not is_short:
            points += result.outcome * (2 if wins >= FIRE_AFTER else 1)
        wins = wins + 1 if result.outcome == WIN else 0
        has_drawn = result.outcome == DRAW or (has_drawn and result.outcome == LOSS)
    return points


def lichess_order(tournament: Tournament) -> list[Entrant]:
    """Return the players by lichess' points, ties by performance."""
    return sorted(
        tournament.entrants.values(),
        key=lambda each: (-lichess_points(each.results), -(each.performance or 0), -each.rating, each.order),
    )


def rank_correlation(order: Sequence[Entrant], strengths: dict[IdentityId, float]) -> float:
    """Return Spearman's correlation of an order with the strengths: 1 if they agree."""
    strongest_first = sorted(strengths, key=lambda identity: -strengths[identity])
    ranks = {identity: rank for rank, identity in enumerate(strongest_first)}
    return correlation(range(len(order)), [ranks[each.identity] for each in order])


def correlations(players: int, minutes: int, clock: ClockSettings, seed: int) -> tuple[float, float]:
    """Return the correlation of the standings, and of lichess' order, with strength in one arena."""
    tournament, strengths = simulate(players, minutes, clock, Random(seed))
    ours = [each.entrant for each in standings_of(tournament)]
    return rank_correlation(ours, strengths), rank_correlation(lichess_order(tournament), strengths)


if __name__ == "__main__":
    typer.run(main)
