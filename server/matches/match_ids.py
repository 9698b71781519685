"""The ids of matches."""

from millrace.protocol import MatchId

ID_BITS = 60
"""Random bits of an id, so that nobody can guess it."""

_ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
"""Without 0, 1, l and o, so that a link can be read aloud."""


def match_id_of(number: int) -> MatchId:
    """Return the id for a number of 60 bits.

    >>> match_id_of(2**60 - 1)
    'zzzzzzzzzzzz'
    """
    return MatchId("".join(_ALPHABET[number >> shift & 31] for shift in range(0, ID_BITS, 5)))
