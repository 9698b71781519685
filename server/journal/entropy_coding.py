"""Choices and numbers as few bits: an arithmetic coder, and counts that adapt to what has been chosen.

Pure. A choice with the weight w of a total W takes log2(W / w) bits. The coder is the range variant of asymmetric
numeral systems (J. Duda, arXiv:1311.2540) on Python's long integers: the last choice written is the first one read, so
the writer keeps its choices until the end. What is written and what is read is said once, by functions that take
either end (`Coder`): the reader ignores the values that it is given.
"""

from collections.abc import Hashable, Mapping, Sequence
from typing import NamedTuple, Protocol

CHOICES_IN_A_PART = 2000
"""Choices that become one integer: the time for each grows with the integer's length."""

ESCAPE = -1
"""Stands for a value that a context has not seen."""

WEIGHT = 2
"""What each occurrence adds to a value's weight; measured against 1 to 5."""

Context = Hashable
Counts = Mapping[Context, Mapping[int, int]]


class _Choice(NamedTuple):
    below: int
    """The weight of the values before it."""
    weight: int
    total: int


class Coder(Protocol):
    """Writes choices, or reads those that were written in the same order."""

    def choose(self, weights: Mapping[int, int], value: int) -> int:
        """Return the value, one of those with weights."""

    def number(self, value: int, bound: int) -> int:
        """Return a number from 0 to `bound` - 1, all of which are equally likely."""


class ChoiceWriter:
    """Writes choices."""

    def __init__(self) -> None:
        self._choices: list[_Choice] = []

    def choose(self, weights: Mapping[int, int], value: int) -> int:
        """Write a value that has a weight."""
        below = 0
        for other, weight in weights.items():
            if other == value:
                break
            below += weight
        self._choices.append(_Choice(below, weights[value], sum(weights.values())))
        return value

    def number(self, value: int, bound: int) -> int:
        """Write a number below a bound. Raises: ValueError if it is not."""
        if not 0 <= value < bound:
            raise ValueError(f"{value} is not between 0 and {bound - 1}")
        self._choices.append(_Choice(value, 1, bound))
        return value

    def content(self) -> bytes:
        """Return what was written."""
        starts = range(0, len(self._choices), CHOICES_IN_A_PART)
        return b"".join(_part(self._choices[start : start + CHOICES_IN_A_PART]) for start in starts)


def _part(choices: Sequence[_Choice]) -> bytes:
    """Return choices as an integer, behind its length in bytes, which ends with a byte under 128."""
    state = 0
    for below, weight, total in reversed(choices):
        state = state // weight * total + below + state % weight
    part = state.to_bytes((state.bit_length() + 7) // 8, "big")
    length, prefix = len(part), bytearray()
    while length > 127:
        prefix.append(length & 127 | 128)
        length >>= 7
    return bytes(prefix) + bytes([length]) + part


def _read_length(content: bytes) -> tuple[int, int]:
    """Return the length of the first part, and where the part begins. Raises: ValueError if there is none."""
    length = 0
    for index, byte in enumerate(content):
        length |= (byte & 127) << 7 * index
        if byte < 128:
            return length, index + 1
    raise ValueError("the packed plies end too early")


class ChoiceReader:
    """Reads what was written."""

    def __init__(self, content: bytes) -> None:
        self._rest = content
        self._state = self._left = 0

    def choose(self, weights: Mapping[int, int], value: int = 0) -> int:  # noqa: ARG002  # what a writer needs
        """Return the next value. Raises: ValueError if nothing is left, or something else was written."""
        total = sum(weights.values())
        below = self._next(total)
        for found, weight in weights.items():
            if below < weight:
                self._state = weight * (self._state // total) + below
                return found
            below -= weight
        raise AssertionError("the weights have another sum")

    def number(self, value: int, bound: int) -> int:  # noqa: ARG002  # what a writer needs
        """Return the next number. Raises: ValueError if nothing is left."""
        found = self._next(bound)
        self._state //= bound
        return found

    def _next(self, total: int) -> int:
        if not self._left:
            length, start = _read_length(self._rest)
            part, self._rest = self._rest[start : start + length], self._rest[start + length :]
            self._state, self._left = int.from_bytes(part, "big"), CHOICES_IN_A_PART
        self._left -= 1
        return self._state % total


class Model:
    """What has been chosen in each context so far, which says how likely each value is."""

    def __init__(self, known: Counts) -> None:
        """`known` are counts from elsewhere, which are not changed."""
        self._known = known
        self.counts: dict[Context, dict[int, int]] = {}
        """Of the contexts that have been met."""

    def code(self, coder: Coder, contexts: Sequence[Context], value: int, bound: int) -> int:
        """Return a number below `bound`, as likely as in the first context that has seen it."""
        counts = [self._counts_in(context) for context in contexts]
        found = ESCAPE
        for seen in counts:
            if seen:
                found = coder.choose({**seen, ESCAPE: len(seen)}, value if value in seen else ESCAPE)
            if found != ESCAPE:
                break
        else:
            found = coder.number(value, bound)
        for seen in counts:
            seen[found] = seen.get(found, 0) + WEIGHT
        return found

    def integer(self, coder: Coder, contexts: Sequence[Context], value: int) -> int:
        """Return an integer of at most 62 bits, which is near to zero as often as others in these contexts."""
        size = abs(value)
        length = self.code(coder, contexts, 2 * size.bit_length() + (value < 0), 126)
        bits, is_negative = divmod(length, 2)
        if bits:
            half = 1 << bits - 1
            size = half + coder.number(size - half, half)
        else:
            size = 0
        return -size if is_negative else size

    def _counts_in(self, context: Context) -> dict[int, int]:
        counts = self.counts.get(context)
        if counts is None:
            counts = self.counts[context] = {**self._known.get(context, {})}
        return counts
