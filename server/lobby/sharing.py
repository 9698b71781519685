"""Shares a short list between addresses, and an address's part between its players. Pure."""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")


def share(entries: Sequence[T], owner_of: Callable[[T], tuple[str, str]], most: int) -> list[T]:
    """Return at most `most` of the entries, in their order.

    `owner_of` returns the address and the player of an entry. In each round every address contributes one entry, from
    the player who has contributed the fewest; a player's entries are used in order.

    >>> share(["a1 x", "a2 x", "a3 y", "b1 z"], lambda entry: (entry[0], entry[-1]), 3)
    ['a1 x', 'a3 y', 'b1 z']
    """
    if len(entries) <= most:
        return list(entries)
    owners = [owner_of(entry) for entry in entries]
    of_player: Counter[str] = Counter()
    turn_of_player = []
    for _, player in owners:
        turn_of_player.append(of_player[player])
        of_player[player] += 1
    of_address: Counter[str] = Counter()
    rounds: dict[int, int] = {}
    for place in sorted(range(len(entries)), key=lambda place: (turn_of_player[place], place)):
        address = owners[place][0]
        rounds[place] = of_address[address]
        of_address[address] += 1
    chosen = sorted(range(len(entries)), key=lambda place: (rounds[place], place))[:most]
    return [entries[place] for place in sorted(chosen)]
