"""Inputs by mutation: known ones, changed, cut and joined, with words that mean something to the target."""

import random
from collections.abc import Iterator, Sequence

MOST_BYTES = 2_000
INTERESTING = (0, 1, 9, 10, 13, 32, 34, 44, 47, 58, 61, 92, 127, 128, 160, 192, 224, 237, 240, 255)


def mutations(seeds: Sequence[bytes], words: Sequence[bytes], chance: random.Random) -> Iterator[bytes]:
    """Yield inputs without end."""
    while True:
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 2, 3, 8))):
            _mutate(data, seeds, words, chance)
        yield bytes(data[:MOST_BYTES])


def _mutate(data: bytearray, seeds: Sequence[bytes], words: Sequence[bytes], chance: random.Random) -> None:
    at = chance.randrange(len(data) + 1)
    end = min(len(data), at + chance.choice((1, 1, 2, 5, 20)))
    match chance.randrange(8):
        case 0 if at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        case 1 if at < len(data):
            data[at] = chance.choice(INTERESTING)
        case 2:
            del data[at:end]
        case 3:
            data[at:at] = data[at:end] * chance.choice((1, 2, 50))
        case 4:
            other = chance.choice(seeds)
            data[at:] = other[chance.randrange(len(other) + 1) :]
        case 5:
            data[at:end] = chance.choice(words)
        case 6:
            data[at:at] = chance.choice(words)
        case _:
            data[at:end] = str(chance.choice((-1, 0, 1, 8, 64, 2**31, 2**53, 2**63, 10**30))).encode()
