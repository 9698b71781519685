"""A level's skill in a game: the limits of its search, and its errors.

Each game defines its own skills (`Strength.skills`), since the effect of a ply, a misjudgement or an oversight differs
between games. The opponents themselves are `engine.levels.opponents`.
"""

from typing import NamedTuple

DEEP_QUIESCENCE = 6


class Skill(NamedTuple):
    """The limits of a search, and its errors."""

    depth: int | None = None
    """Maximum depth, in plies."""
    nodes: int | None = None
    movetime_ms: int | None = None
    noise: int = 0
    """Maximum error of the evaluation at leaves, either way, in hundredths of a man."""
    oversights: int = 0
    """The number of quiet moves overlooked per 1000; half as many of the noisy moves."""
    quiescence: int = DEEP_QUIESCENCE
    """Maximum plies of quiescence search."""
    table_megabytes: int = 1


STRONGEST_MS = 1_000
"""Thinking time of the strongest level without a clock."""

STRONGEST = Skill(movetime_ms=STRONGEST_MS, noise=2, table_megabytes=32)

DEFAULT_SKILLS = (
    Skill(depth=1, noise=45, oversights=350, quiescence=0),
    Skill(depth=2, noise=45, oversights=350, quiescence=1),
    Skill(depth=3, noise=32, oversights=180, quiescence=1),
    Skill(depth=3, noise=18, oversights=50, quiescence=2),
    Skill(depth=4, noise=15, oversights=20),
    Skill(depth=6, nodes=100_000, noise=12),
    Skill(nodes=40_000, noise=8, table_megabytes=2),
    STRONGEST,
)
"""Skills from level 1 on for an unmeasured game: easy searches one ply, medium six, hard one second."""
