"""The inputs and results of a search, as values: limits, handicap and analysis."""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from ..transposition_table import PROVEN, WIN

Clock = Callable[[], float]
"""A clock: returns seconds since any fixed moment."""


def no_clock() -> float:
    """Return a constant time, for searches without a time limit."""
    return 0.0


QUIESCENCE_PLIES = 6
TABLE_MEGABYTES = 32


class Parallel(StrEnum):
    """How the threads of a search divide the work."""

    SHARED = "shared"
    """All search the whole tree, some a few plies deeper (Lazy SMP)."""
    YOUNG_BROTHERS_WAIT = "ybw"
    """The others start an iteration when its first root move has been searched, and then share its other moves."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops, at the first limit reached; None is no limit."""

    depth: int | None = None
    """Maximum depth, in plies."""
    nodes: int | None = None
    movetime_ms: float | None = None
    soft_ms: float | None = None
    """The soft limit: the search stops sooner if the best move is clear and later if it is in doubt, but never after
    `movetime_ms`. See `engine.time_management`."""
    depth_step: int = 1
    """How many plies each iteration adds to the depth; the last one always reaches `depth`."""
    wants_doubling: bool = False
    """Whether no iteration begins that would not be completed if it takes as long as all before together."""
    ends_when_settled: bool = False
    """Whether the search ends after an iteration whose best move is unlikely to change within the other limits. See
    `engine.time_management.settled_share`."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """Weaknesses that make the engine play below its best."""

    noise: int = 0
    """Maximum error of the evaluation at leaves, either way, in hundredths of a man."""
    seed: int = 0
    """The seed of all errors, 0..2**63-1."""
    quiescence: int = QUIESCENCE_PLIES
    """Maximum plies of quiescence search."""
    oversights: int = 0
    """The number of quiet moves overlooked per 1000 (`engine.search.oversights`)."""


NO_HANDICAP = Handicap()


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search."""

    depth: int
    """The deepest completed iteration, in plies; 0 if nothing was searched."""
    value: int
    """In hundredths of a man, from the mover's view; `WIN - n` for a win in n plies, `n - WIN` for a loss in n
    plies."""
    nodes: int
    elapsed_ms: float
    principal_variation: tuple[str, ...]
    """Move texts; empty only if play is over or no move was searched."""
    selective_depth: int = 0
    """The length in plies of the longest line searched by the leading thread's latest iteration."""

    @property
    def best_move(self) -> str | None:
        """The text of the move to play, or None if play is over."""
        return self.principal_variation[0] if self.principal_variation else None


def is_seen_to_its_end(value: int, depth: int) -> bool:
    """Return whether a value is a win or loss that a search to this depth has seen to its end."""
    return abs(value) > PROVEN and WIN - abs(value) <= depth
