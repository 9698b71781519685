"""What a search is told and what it finds, as values: limits, handicap and analysis."""

from collections.abc import Callable
from dataclasses import dataclass

from ..transposition_table import PROVEN, WIN

Clock = Callable[[], float]
"""Returns seconds from any fixed moment."""


def no_clock() -> float:
    """Say the same moment always, for searches that time does not bound."""
    return 0.0


QUIESCENCE_PLIES = 6
TABLE_MEGABYTES = 32


@dataclass(frozen=True, slots=True)
class Limits:
    """When a search stops, whichever comes first; None stands for no limit."""

    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    movetime_ms: float | None = None
    soft_ms: float | None = None
    """When the search would rather stop: sooner if the move is clear, later if it is in doubt, but `movetime_ms` holds.
    See `engine.time_management`."""


@dataclass(frozen=True, slots=True)
class Handicap:
    """What makes an engine play other than its best."""

    noise: int = 0
    """Leaves are misjudged by up to this many hundredths of a man, either way."""
    seed: int = 0
    """Which way each leaf is misjudged, 0..2**63-1."""
    quiescence: int = QUIESCENCE_PLIES
    """How many plies of noisy moves are followed below the nominal depth."""
    oversights: int = 0
    """So many of 1000 quiet moves are overlooked (`engine.search.oversights`)."""


NO_HANDICAP = Handicap()


@dataclass(frozen=True, slots=True)
class Analysis:
    """What a search found."""

    depth: int
    """The deepest completed iteration, in plies; 0 if there was nothing to search."""
    value: int
    """In hundredths of a man, mover's view; `WIN - n` for a win in n plies, `n - WIN` for a loss in n plies."""
    nodes: int
    elapsed_ms: float
    principal_variation: tuple[str, ...]
    """Move texts; empty only if play is over or not one move was searched."""

    @property
    def best_move(self) -> str | None:
        """The text of the move to play, or None if play is over."""
        return self.principal_variation[0] if self.principal_variation else None


def is_seen_to_its_end(value: int, depth: int) -> bool:
    """Return whether a search to a depth has seen a win or a loss to its end, as far as nothing was left out."""
    return abs(value) > PROVEN and WIN - abs(value) <= depth
