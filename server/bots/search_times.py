"""Estimates of each level's thinking time on this machine.

Time bounds the strongest level, and the bot that takes a share of its clock. Nodes or depth bound weaker levels, so
their times depend on the game and the machine; they are measured while the server runs.
"""

from millrace.engine.game.skill import STRONGEST_MS
from millrace.engine.levels.opponents import STRONGEST_LEVEL, find_opponent

FIRST_GUESS_SECONDS = 0.1
"""Estimate for a game and level before the first search has finished."""

WEIGHT = 0.1
"""Weight of the latest search in the exponentially weighted mean."""


class SearchTimes:
    """Mean search times by game and level."""

    def __init__(self) -> None:
        self._seconds: dict[tuple[str, int | str], float] = {}

    def estimate_seconds(self, game: str, level: int | str, movetime_ms: float | None) -> float:
        """Return a level's thinking time on an idle machine, at most `movetime_ms`."""
        bound_seconds = None if movetime_ms is None else movetime_ms / 1000
        if find_opponent(level).level == STRONGEST_LEVEL:
            return bound_seconds or STRONGEST_MS / 1000
        estimate = self._seconds.get((game, level), FIRST_GUESS_SECONDS)
        return estimate if bound_seconds is None else min(estimate, bound_seconds)

    def record(self, game: str, level: int | str, seconds: float) -> None:
        """Update the estimate with a search that was not cut short."""
        before = self._seconds.get((game, level), seconds)
        self._seconds[game, level] = before + WEIGHT * (seconds - before)
