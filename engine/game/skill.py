"""How well a level plays: what bounds its search, and how it errs.

Not who sits at the board, which is `engine.levels.opponents`. A game says in its record how well each level plays it
(`Game.skills`), since what a ply more, a misjudgement or an oversight costs differs from game to game; `python -m
benchmarks.levels` measures the steps between levels, which are to be alike.
"""

from typing import NamedTuple

DEEP_QUIESCENCE = 6


class Skill(NamedTuple):
    """What bounds a search, and how it errs."""

    depth: int | None = None
    """In plies."""
    nodes: int | None = None
    movetime_ms: int | None = None
    noise: int = 0
    """Leaves are misjudged by up to so many hundredths of a man, either way."""
    oversights: int = 0
    """So many of 1000 quiet moves are overlooked, half as many of those that change the balance."""
    quiescence: int = DEEP_QUIESCENCE
    """Plies of takings followed below the depth."""
    table_megabytes: int = 1


STRONGEST_MS = 1_000
"""What the strongest level takes for a move."""

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
"""From level 1 on, for a game of which nobody has measured better: easy is a ply, medium six, hard a second."""
