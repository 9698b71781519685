"""Knockouts: who loses an encounter is out, or has a second life in a double elimination.

Each round plays one match of every encounter whose players are known, so an encounter that is level goes on while those
who are through begin the next.
"""

from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import NamedTuple

from msgspec.structs import replace

from millrace.protocol import ClockSettings, IdentityId, TournamentPlan

from ..events import Pair
from ..pairing.knockout import Bracket, EncounterRules, NextMatch, Standing, double_elimination, follow, next_step
from ..pairing.knockout import single_elimination as single
from ..tournament import Tournament
from .kind import Kind, Question, Ranked, Table, Wave
from .rounds import by_strength, is_round_due, points_of

LEAST_CLOCK_MS = 15_000
"""Faster clocks have at least as much, unless the tournament's own has less."""


class _Encounter(NamedTuple):
    """What has been played in an encounter."""

    results: tuple[int, ...] = ()
    """Half points of the higher seed."""
    pair: Pair | None = None
    """The latest."""
    is_forfeit: bool = False


class _Played(NamedTuple):
    """A knockout after its matches."""

    bracket: Bracket
    standing: Standing
    encounters: Mapping[int, _Encounter]
    winners: Mapping[int, int]


def rules_of(plan: TournamentPlan) -> EncounterRules:
    """Return how encounters are played: half and then a quarter of the time if they are level."""
    initial_ms, increment_ms = plan.clock.initial_ms, plan.clock.increment_ms
    least_ms = min(initial_ms, LEAST_CLOCK_MS)
    faster = [(max(least_ms, initial_ms // part), increment_ms // part // 1000 * 1000) for part in (2, 4)]
    return EncounterRules(plan.best_of, faster)


def _higher_begins(encounter: int) -> bool:
    """Return whether the higher seed has the first seat in the first match."""
    return encounter % 2 == 0


@lru_cache(maxsize=16)
def _bracket(players: int, *, double: bool) -> Bracket:
    return (double_elimination if double else single)(players)


def _play(tournament: Tournament) -> _Played:
    """Return what has been played; at least two players have joined."""
    bracket = _bracket(len(tournament.entrants), double=tournament.plan.double)
    rules = rules_of(tournament.plan)
    numbers = {entrant.identity: number for number, entrant in enumerate(by_strength(tournament), 1)}
    encounters = dict[int, _Encounter]()
    winners = dict[int, int]()
    standing = follow(bracket, winners)
    for each in tournament.rounds:
        known_winners = len(winners)
        by_seeds = {_seeds(standing, number): number for number in standing.ready}
        for winner, loser in each.walkovers:
            number = by_seeds[_ordered(numbers[winner], numbers[loser])]
            winners[number] = numbers[winner]
            encounters[number] = encounters.get(number, _Encounter())._replace(is_forfeit=True)
        for pair in each.pairs:
            first, second = (numbers[identity] for identity in pair.players)
            number = by_seeds[_ordered(first, second)]
            known = encounters.get(number, _Encounter())
            scored = each.scored.get(pair.match)
            if scored is None:
                encounters[number] = known._replace(pair=pair)
                continue
            points = points_of(scored)[0 if first < second else 1]
            encounters[number] = _Encounter((*known.results, points), pair)
            step = next_step(rules, encounters[number].results, higher_begins=_higher_begins(number))
            if isinstance(step, bool):
                winners[number] = min(first, second) if step else max(first, second)
        if len(winners) > known_winners:
            standing = follow(bracket, winners)
    return _Played(bracket, standing, encounters, winners)


def _seeds(standing: Standing, encounter: int) -> tuple[int, int]:
    """Return the seeds of an encounter whose players are known, the higher one first."""
    one, other = standing.players[encounter]
    assert one is not None
    assert other is not None
    return _ordered(one, other)


def _ordered(one: int, other: int) -> tuple[int, int]:
    return min(one, other), max(one, other)


def _question(tournament: Tournament, _: Collection[IdentityId], now_ms: int) -> Question | None:
    return Question(_paired, (tournament,)) if is_round_due(tournament, now_ms) else None


def _paired(tournament: Tournament) -> Wave:
    """Return the next match of every encounter; whoever has left loses it, the lower seed if both have."""
    played, seeds = tournament.once(_play), by_strength(tournament)
    seatings, walkovers = [], []
    for number in played.standing.ready:
        higher, lower = (seeds[seed - 1] for seed in _seeds(played.standing, number))
        if lower.is_paused:
            walkovers.append((higher.identity, lower.identity))
        elif higher.is_paused:
            walkovers.append((lower.identity, higher.identity))
        else:
            pair = (higher.identity, lower.identity)
            seatings.append(pair if _next_match(tournament, played, number).higher_begins else pair[::-1])
    return Wave(seatings, (), walkovers)


def _next_match(tournament: Tournament, played: _Played, number: int) -> NextMatch:
    results = played.encounters.get(number, _Encounter()).results
    step = next_step(rules_of(tournament.plan), results, higher_begins=_higher_begins(number))
    assert isinstance(step, NextMatch)
    return step


def _clock_of(tournament: Tournament, pair: Pair) -> ClockSettings:
    played, plan = tournament.once(_play), tournament.plan
    number = next(number for number, each in played.encounters.items() if each.pair == pair)
    faster = _next_match(tournament, played, number).clock
    return plan.clock if faster is None else replace(plan.clock, initial_ms=faster[0], increment_ms=faster[1])


def _is_finished(tournament: Tournament, _: int) -> bool:
    return len(tournament.entrants) < 2 or tournament.once(_play).standing.champion is not None


def _standings(tournament: Tournament) -> tuple[Ranked, ...]:
    """Return the champion, then the players by how far they came, then by seed. Each encounter won is one point."""
    seeds = by_strength(tournament)
    if not tournament.rounds:
        return tuple(Ranked(each, 0, (), None) for each in seeds)
    played = tournament.once(_play)
    won = list(played.winners.values())
    last = dict[int, int]()
    for number, players in enumerate(played.standing.players):
        last |= {seed: number for seed in players if seed is not None}
    out = {seed for seed, number in last.items() if played.winners.get(number, seed) != seed}
    rounds = [(each.losers, each.round) for each in played.bracket]

    def key(seed: int) -> tuple[bool, bool, int, int]:
        # Those who are beaten in the same round are equal, so they stand by seed.
        stage = rounds.index(rounds[last[seed]])
        return seeds[seed - 1].is_disqualified, seed in out, -stage, seed

    return tuple(
        Ranked(seeds[seed - 1], 2 * won.count(seed), (), seeds[seed - 1].performance, is_out=seed in out)
        for seed in sorted(last, key=key)
    )


def _tables(tournament: Tournament) -> tuple[Table, ...]:
    if not tournament.rounds:
        return ()
    played, seeds = tournament.once(_play), by_strength(tournament)
    return tuple(
        _table(played, number, [None if seed is None else seeds[seed - 1].identity for seed in players])
        for number, players in enumerate(played.standing.players)
    )


def _table(played: _Played, number: int, players: list[IdentityId | None]) -> Table:
    encounter, known = played.bracket[number], played.encounters.get(number, _Encounter())
    one, other = played.standing.players[number]
    results = known.results
    points = None
    if results:
        points = (sum(results), 2 * len(results) - sum(results))
        if one is not None and other is not None and one > other:
            points = points[::-1]
    return Table(
        encounter.round,
        number + 1,
        (players[0], players[1]),
        known.pair,
        points,
        known.is_forfeit,
        encounter.losers,
    )


KNOCKOUT = Kind(
    most_players=32,
    question=_question,
    is_finished=_is_finished,
    standings=_standings,
    admits=lambda _: False,
    rounds=lambda _: 0,
    tables=_tables,
    clock_of=_clock_of,
)
