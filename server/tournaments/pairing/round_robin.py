"""Round robins by Berger tables: everybody meets everybody once or twice (FIDE C.05, annex 1). Pure."""

from collections.abc import Sequence
from typing import TypeVar

Player = TypeVar("Player")
Pairs = list[tuple[Player, Player]]
"""Pairs of White and Black, in the order of their tables."""


def berger_rounds(players: Sequence[Player], *, double: bool = False) -> list[Pairs[Player]]:
    """Return the pairs of each round; with an odd number of players, one has a bye in each.

    The second half of a double round robin repeats the first with colours exchanged; the last two rounds of the first
    half change places, so that nobody has a colour three times in a row.

    >>> berger_rounds("1234")
    [[('1', '4'), ('2', '3')], [('4', '3'), ('1', '2')], [('2', '4'), ('3', '1')]]
    """
    seats: list[Player | None] = [*players, *[None] * (len(players) % 2)]
    rounds = [_round(seats, number) for number in range(len(seats) - 1)]
    if not double:
        return rounds
    reversed_rounds = [[(black, white) for white, black in pairs] for pairs in rounds]
    return [*rounds[:-2], *reversed(rounds[-2:]), *reversed_rounds]


def byes(players: Sequence[Player], rounds: Sequence[Pairs[Player]]) -> list[Player | None]:
    """Return who has the bye in each round; None if nobody does.

    >>> byes("123", berger_rounds("123"))
    ['1', '3', '2']
    """
    playing = [{player for pair in pairs for player in pair} for pairs in rounds]
    return [next((player for player in players if player not in present), None) for present in playing]


def _round(seats: Sequence[Player | None], number: int) -> Pairs[Player]:
    """Return the pairs of a round, counted from 0.

    The last player stays and the others move on around the table, half of it less one place each round.
    """
    last = len(seats) - 1
    start = number * (last // 2 + 1)
    around = [seats[(start + step) % last] for step in range(last)]
    first, opponents = around[0], list(zip(around[1 : last // 2 + 1], reversed(around[last // 2 + 1 :]), strict=True))
    top = (first, seats[last]) if number % 2 == 0 else (seats[last], first)
    return [(white, black) for white, black in [top, *opponents] if white is not None and black is not None]
