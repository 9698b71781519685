"""How long each level thinks on this machine: a bound for the strongest, an estimate learnt while running for others.

Below the strongest, levels are bound by nodes or depth, so what they cost depends on the game and the machine.
"""

from millrace.engine.game.skill import STRONGEST_MS
from millrace.engine.levels.opponents import STRONGEST_LEVEL

FIRST_GUESS_SECONDS = 0.1
"""What a search is taken for before the first of its kind has ended."""

WEIGHT = 0.1
"""Of the latest search in the estimate: an exponentially weighted mean."""


class Costs:
    """What searches have cost, by game and level, in seconds."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, int | str], float] = {}

    def level_seconds(self, game: str, level: int | str, movetime_ms: float | None) -> float:
        """Return the time of a level when nothing else is going on; `movetime_ms` bounds it."""
        bound_seconds = None if movetime_ms is None else movetime_ms / 1000
        if level == STRONGEST_LEVEL:
            return bound_seconds or STRONGEST_MS / 1000
        estimate = self._seconds.get((game, level), FIRST_GUESS_SECONDS)
        return estimate if bound_seconds is None else min(estimate, bound_seconds)

    def learn(self, game: str, level: int | str, seconds: float) -> None:
        """Note how long a search took that nothing has shortened."""
        before = self._seconds.get((game, level), seconds)
        self._seconds[game, level] = before + WEIGHT * (seconds - before)
