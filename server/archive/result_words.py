"""Results as words: as in chess for two seats, otherwise the rank of each seat. Pure."""

import re
from collections.abc import Sequence

DECIDED_FOR_TWO = {(1, 2): "1-0", (2, 1): "0-1", (1, 1): "1/2-1/2"}
NO_RESULT = "*"

_DASHES = re.compile(r"[\u2010-\u2015\u2212:]")
_HALVES = re.compile(r"½|0[.,]5")
_WORDS = {
    **{name: ranks for ranks, name in DECIDED_FOR_TWO.items()},
    "1/2": (1, 1),
}
_RANKS = re.compile(r"[1-4](?::[1-4]){2,3}")


def format_result(ranks: Sequence[int] | None) -> str:
    """Return a result as text.

    >>> format_result((2, 1)), format_result((1, 3, 2)), format_result(None)
    ('0-1', '1:3:2', '*')
    """
    if ranks is None:
        return NO_RESULT
    return DECIDED_FOR_TWO[ranks[0], ranks[1]] if len(ranks) == 2 else ":".join(map(str, ranks))


def are_ranks(ranks: Sequence[int], seats: int) -> bool:
    """Return whether these are the ranks of this number of seats.

    >>> are_ranks((1, 3, 2), 3), are_ranks((1, 3), 2), are_ranks((2, 2), 2)
    (True, False, False)
    """
    if seats == 2:
        return tuple(ranks) in DECIDED_FOR_TWO
    return len(ranks) == seats and 1 in ranks and all(1 <= rank <= seats for rank in ranks)


def is_result(word: str) -> bool:
    r"""Return whether a word is a result.

    >>> is_result("½\u2013½"), is_result("d6")
    (True, False)
    """
    return word == NO_RESULT or _RANKS.fullmatch(word) is not None or _plain(word) in _WORDS


def parse_result(word: str) -> tuple[int, ...] | None:
    r"""Parse a result; None for a match without one. Raises: ValueError.

    >>> parse_result("1/2"), parse_result("1\u20130"), parse_result("1:3:2"), parse_result("*")
    ((1, 1), (1, 2), (1, 3, 2), None)
    """
    if word == NO_RESULT:
        return None
    if _RANKS.fullmatch(word):
        return tuple(map(int, word.split(":")))
    ranks = _WORDS.get(_plain(word))
    if ranks is None:
        raise ValueError(f"{word!r} is not a result.")
    return ranks


def _plain(word: str) -> str:
    return _HALVES.sub("1/2", _DASHES.sub("-", "".join(word.split())))
