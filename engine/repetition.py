"""Repetition of positions in a match: threefold repetition, and repetitions that the rules forbid.

What the search does about repetition inside its tree is `engine.search.tree_repetition`.
"""

from collections.abc import Iterator
from typing import Protocol, Self, TypeAlias, TypeVar

from .game import Words

THREEFOLD = 3
"""The occurrence of a position that is a draw under `Repetition.DRAW_THIRD`."""

FILTER_BITS = 1024
"""Bits of the Bloom filter of earlier positions. Few consecutive plies are reversible, so it is mostly empty."""

Identity: TypeAlias = tuple[int, bytes]
"""Equal for equal positions: the seat to move and the words."""


class Repeatable(Protocol):
    """A state's interface for repetition."""

    @property
    def previous(self) -> Self | None:
        """The state before the last move."""

    @property
    def is_fresh(self) -> bool:
        """Whether no earlier position can occur again."""

    @property
    def identity(self) -> Identity:
        """How later states recognise this one."""

    @property
    def arrival(self) -> Identity:
        """The `identity` of the states that this one repeats."""

    @property
    def past_filter(self) -> int:
        """A Bloom filter of the `identity` of each earlier state that could equal this one."""


_S = TypeVar("_S", bound=Repeatable)


def is_threefold(repetitions: int) -> bool:
    """Return whether a position with this many earlier occurrences occurs for the third time."""
    return repetitions >= THREEFOLD - 1


def reachable_past(state: _S, step: int) -> Iterator[_S]:
    """Yield the earlier states that could equal this one, latest first, every `step` plies."""
    distance = 0
    while not state.is_fresh and state.previous is not None:
        state, distance = state.previous, distance + 1
        if distance % step == 0:
            yield state


def count_repetitions(state: Repeatable, seats: int) -> int:
    """Return how many earlier states had the same position and seat to move."""
    arrival = state.arrival
    if not state.past_filter & filter_bit(arrival):
        return 0
    return sum(1 for earlier in reachable_past(state, seats) if earlier.identity == arrival)


def filter_bit(identity: Identity) -> int:
    """Return the bit of the Bloom filter that stands for an identity."""
    return 1 << (hash(identity) % FILTER_BITS)


def without_transient(words: Words, transient_words: int) -> Words:
    """Return a position for comparison in repetition: with its transient words zero (`Rules.transient_words`)."""
    if not transient_words:
        return words
    words = words.copy()
    words[-transient_words:] = 0
    return words
