"""Knockouts: brackets of single and double elimination, and encounters of several matches. Pure.

A bracket is a list of encounters. Each side of an encounter is a player, nobody (a bye), or the winner or loser of an
earlier encounter. Who is through follows from the results of the encounters.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum


class From(StrEnum):
    """Which player of an earlier encounter comes to this one."""

    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Source:
    """A side of an encounter: the winner or loser of another."""

    encounter: int
    which: From


Side = int | Source | None
"""The number of a seeded player, from 1; what comes from another encounter; or nobody, which is a bye."""


@dataclass(frozen=True, slots=True)
class Encounter:
    """Two sides that play until one of them is through."""

    number: int
    """Its index in the bracket."""
    round: int
    """Counted from 1; those of the losers' side of a double elimination are counted by themselves."""
    sides: tuple[Side, Side]
    losers: bool = False
    """Whether it belongs to the losers' side."""
    decider: bool = False
    """Whether it is played only if the winner of the losers' side has won the final before."""


Bracket = tuple[Encounter, ...]


def seed_order(size: int) -> list[int]:
    """Return the seeds in order of their places, so that the best meet last and the first seed meets the last.

    >>> seed_order(8)
    [1, 8, 4, 5, 2, 7, 3, 6]
    """
    order = [1]
    while len(order) < size:
        order = [seed for one in order for seed in (one, 2 * len(order) + 1 - one)]
    return order


def bracket_size(players: int) -> int:
    """Return the places in the first round: the next power of two."""
    return 1 << max(players - 1, 1).bit_length()


def single_elimination(players: int) -> Bracket:
    """Return the bracket of seeds 1 to `players`, at least two; the top seeds have the byes."""
    encounters: list[Encounter] = []
    _add_winners_side(encounters, players)
    return tuple(encounters)


def double_elimination(players: int) -> Bracket:
    """Return a bracket in which the second defeat eliminates.

    Losers of the winners' side drop into every second round of the losers' side, in turn from the one end and from the
    other, so that players who have met meet again late. In the final, the winner of the losers' side must win twice.
    """
    encounters: list[Encounter] = []
    rounds = _add_winners_side(encounters, players)
    sources = [Source(encounter.number, From.LOSER) for encounter in rounds[0]]
    number = 0
    for index, dropping in enumerate(rounds[1:]):
        if len(sources) > 1:
            number += 1
            sources = _add_losers_round(encounters, number, sources[::2], sources[1::2])
        number += 1
        losers = [Source(encounter.number, From.LOSER) for encounter in dropping]
        sources = _add_losers_round(encounters, number, sources, losers[::-1] if index % 2 == 0 else losers)
    _add_finals(encounters, rounds[-1][0], sources[0], len(rounds))
    return tuple(encounters)


def _add_winners_side(encounters: list[Encounter], players: int) -> list[list[Encounter]]:
    size = bracket_size(players)
    sides: list[Side] = [seed if seed <= players else None for seed in seed_order(size)]
    rounds: list[list[Encounter]] = []
    while len(sides) > 1:
        pairs = zip(sides[::2], sides[1::2], strict=True)
        first = len(encounters)
        rounds.append([Encounter(first + index, len(rounds) + 1, pair) for index, pair in enumerate(pairs)])
        encounters += rounds[-1]
        sides = [Source(encounter.number, From.WINNER) for encounter in rounds[-1]]
    return rounds


def _add_losers_round(
    encounters: list[Encounter], number: int, ones: Sequence[Source], others: Sequence[Source]
) -> list[Source]:
    first = len(encounters)
    added = [
        Encounter(first + index, number, pair, losers=True) for index, pair in enumerate(zip(ones, others, strict=True))
    ]
    encounters += added
    return [Source(encounter.number, From.WINNER) for encounter in added]


def _add_finals(encounters: list[Encounter], winners_final: Encounter, challenger: Source, rounds: int) -> None:
    final = Encounter(len(encounters), rounds + 1, (Source(winners_final.number, From.WINNER), challenger))
    decider_sides = (Source(final.number, From.LOSER), Source(final.number, From.WINNER))
    encounters += [final, Encounter(final.number + 1, rounds + 2, decider_sides, decider=True)]


Winners = Mapping[int, int]
"""The winning seed of each encounter that is decided, by the encounter's number; byes need no entry."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How far a bracket has come."""

    players: tuple[tuple[int | None, int | None], ...]
    """The two seeds of each encounter; None where nobody is known yet, or nobody comes."""
    ready: tuple[int, ...]
    """The encounters whose players are both known and that are not decided."""
    champion: int | None


def follow(bracket: Bracket, winners: Winners) -> Standing:
    """Return who meets whom, which encounters can begin, and who has won all."""
    outcomes: list[_Outcome] = []
    for encounter in bracket:
        outcomes.append(_outcome(encounter, outcomes, winners))
    players = tuple(outcome.players for outcome in outcomes)
    ready = tuple(number for number, outcome in enumerate(outcomes) if outcome.ready)
    last = outcomes[-1]
    return Standing(players, ready, last.winner if last.closed else None)


@dataclass(frozen=True, slots=True)
class _Outcome:
    players: tuple[int | None, int | None]
    winner: int | None
    loser: int | None
    closed: bool
    """Whether nothing about it is open any more."""
    ready: bool


def _outcome(encounter: Encounter, outcomes: Sequence[_Outcome], winners: Winners) -> _Outcome:
    (one, one_known), (other, other_known) = (_side(side, outcomes) for side in encounter.sides)
    known = one_known and other_known
    if encounter.decider and known and outcomes[encounter.number - 1].players[0] == other:
        return _Outcome((None, None), other, one, closed=True, ready=False)
    if known and (one is None or other is None):
        return _Outcome((one, other), one or other, None, closed=True, ready=False)
    winner = winners.get(encounter.number) if known else None
    loser = (other if winner == one else one) if winner is not None else None
    return _Outcome((one, other), winner, loser, winner is not None, known and winner is None)


def _side(side: Side, outcomes: Sequence[_Outcome]) -> tuple[int | None, bool]:
    """Return who comes, and whether that is known."""
    if not isinstance(side, Source):
        return side, True
    source = outcomes[side.encounter]
    return (source.winner if side.which is From.WINNER else source.loser), source.closed


@dataclass(frozen=True, slots=True)
class EncounterRules:
    """How an encounter is played."""

    matches: int = 2
    """Best of so many matches, with seats exchanged after each."""
    faster_clocks: Sequence[tuple[int, int]] = ()
    """The time controls of further pairs of matches while it is level: initial time and increment in ms."""


@dataclass(frozen=True, slots=True)
class NextMatch:
    """The next match of an encounter."""

    higher_begins: bool
    """Whether the higher seed has seat 0."""
    clock: tuple[int, int] | None
    """A faster time control than the tournament's: initial time and increment in ms; None for the tournament's."""


def next_step(rules: EncounterRules, results: Sequence[int], *, higher_begins: bool) -> NextMatch | bool:
    """Return the next match of an encounter, or whether the higher seed is through.

    `results` are what the higher seed scored in each match, in half points. A player is through who cannot be caught up
    with in the scheduled matches, or who leads after a pair with a faster clock. After the last pair the seats go
    on being exchanged with the fastest clock, and the first win decides. Without faster clocks the higher seed is
    through if the matches are level.
    """
    scheduled, played = rules.matches, len(results)
    lead = 2 * sum(results) - 2 * played
    if abs(lead) > 2 * max(scheduled - played, 0) and _may_end(rules, played):
        return lead > 0
    begins = higher_begins if played % 2 == 0 else not higher_begins
    if played < scheduled:
        return NextMatch(begins, None)
    if not rules.faster_clocks:
        return True
    pair = min((played - scheduled) // 2, len(rules.faster_clocks) - 1)
    return NextMatch(begins, rules.faster_clocks[pair])


def _may_end(rules: EncounterRules, played: int) -> bool:
    """Return whether a lead decides after so many matches: not between the two of a pair with a faster clock."""
    extra = played - rules.matches
    return extra <= 0 or extra % 2 == 0 or extra > 2 * len(rules.faster_clocks)
