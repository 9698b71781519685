"""The timer of one match: wakes the room when an automatic event is due, such as a fallen flag."""

import asyncio

from ..matches.lag_compensation import LagCompensation
from ..matches.match import Match
from ..system_clock import NowMs
from .background_tasks import BackgroundTask, BackgroundTasks


class MatchTimer:
    """Runs a task when the next automatic event of a match is due."""

    def __init__(self, tasks: BackgroundTasks, now_ms: NowMs, on_due: BackgroundTask) -> None:
        self._tasks = tasks
        self._now_ms = now_ms
        self._on_due = on_due
        self._due_at_ms: int | None = None
        self._timer: asyncio.TimerHandle | None = None

    def set(self, match: Match, lag: LagCompensation) -> None:
        """Wait for the next automatic event of the match as it stands; a flag falls late by the lag of its seat."""
        self.close()
        self._due_at_ms = match.due_at_ms
        if self._due_at_ms is not None:
            delay_ms = max(0, self._due_at_ms + lag.compensation_ms(match.to_move) - self._now_ms())
            self._timer = self._tasks.begin_later(delay_ms / 1000, self._on_due)

    def is_due(self, now_ms: int) -> bool:
        """Return whether the time for an automatic event has come, apart from lag."""
        return self._due_at_ms is not None and now_ms >= self._due_at_ms

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
