"""Swiss tournaments with random results, byes, absences, forfeits, late entries and forbidden pairs."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from millrace.server.tournaments.pairing.swiss import NoPairingError, RoundPairings, pair_round
from millrace.server.tournaments.pairing.swiss_history import Colour, Entrant, Result, Round, Swiss

BYES = (Result.ZERO_POINT_BYE, Result.HALF_POINT_BYE, Result.FULL_POINT_BYE)


def new_tournament(random: Random, players: int, rounds: int, forbidden: int = 0) -> Swiss:
    """Return a tournament before its first round."""
    numbers = range(1, players + 1)
    return Swiss(
        entrants=tuple(Entrant(number) for number in numbers),
        rounds=rounds,
        initial_colour=random.choice(list(Colour)),
        forbidden=frozenset(frozenset(random.sample(numbers, 2)) for _ in range(forbidden)),
    )


def play(random: Random, swiss: Swiss, trouble: float = 0.0) -> Iterator[tuple[Swiss, RoundPairings]]:
    """Yield the tournament before each round, with the pairings; it ends early if there are none.

    `trouble` is the share of players who are absent in a round, and of matches that are forfeited.
    """
    for _ in range(swiss.rounds):
        swiss = with_absences(random, swiss, trouble)
        try:
            pairings = pair_round(swiss)
        except NoPairingError:
            return
        yield swiss, pairings
        swiss = with_results(random, swiss, pairings, trouble)


def with_absences(random: Random, swiss: Swiss, share: float) -> Swiss:
    """Return the tournament with byes for some players in the next round, always leaving two."""
    away = {each.number for each in swiss.entrants if random.random() < share}
    away -= {each.number for each in swiss.entrants[:2]}
    return replace(
        swiss,
        entrants=tuple(
            replace(each, rounds=(*each.rounds, Round(random.choice(BYES)))) if each.number in away else each
            for each in swiss.entrants
        ),
    )


def with_results(random: Random, swiss: Swiss, pairings: RoundPairings, forfeits: float = 0.0) -> Swiss:
    """Return the tournament after a round in which the better player wins more often."""
    added = {pairings.bye: Round(Result.PAIRING_BYE)}
    for white, black in pairings.pairs:
        score = random.choices("1=0", weights=[3, 2, 1] if white < black else [1, 2, 3])[0]
        if random.random() < forfeits:
            score = random.choice("+-")
        other = {"1": "0", "0": "1", "=": "=", "+": "-", "-": "+"}[score]
        added[white] = Round(Result(score), black, Colour.WHITE)
        added[black] = Round(Result(other), white, Colour.BLACK)
    return replace(
        swiss,
        entrants=tuple(
            replace(each, rounds=(*each.rounds, added[each.number])) if each.number in added else each
            for each in swiss.entrants
        ),
    )
