"""Random choices that depend only on numbers: the same in every process and on every machine."""

import hashlib
from collections.abc import Sequence
from typing import TypeVar

BITS = 64

_T = TypeVar("_T")


def derive_seed(*numbers: int) -> int:
    """Return a seed of 63 bits that depends on all of the numbers."""
    digest = hashlib.blake2b(" ".join(map(str, numbers)).encode(), digest_size=BITS // 8).digest()
    return int.from_bytes(digest) >> 1


def random_fraction(*numbers: int) -> float:
    """Return a number in [0, 1) that depends on all of the numbers."""
    return derive_seed(*numbers) / (1 << BITS - 1)


def weighted_choice(items: Sequence[_T], weights: Sequence[int], fraction: float) -> _T:
    """Return the item at a fraction of the sum of the weights.

    >>> [weighted_choice("abc", (1, 2, 1), fraction) for fraction in (0.0, 0.25, 0.74, 0.75)]
    ['a', 'b', 'b', 'c']
    """
    left = fraction * sum(weights)
    for item, weight in zip(items, weights, strict=True):
        left -= weight
        if left < 0:
            return item
    return items[-1]
