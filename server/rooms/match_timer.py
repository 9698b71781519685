"""The timer of one match: wakes the room when an automatic event is due, such as a fallen flag.

Most moves only make the next event due later. The timer then stays as it is, and waits again when it wakes too early:
setting and cancelling one for each move costs more.
"""

import asyncio

from ..matches.lag_compensation import NO_COMPENSATION, LagCompensation
from ..matches.match import Match
from ..runtime.system_clock import NowMs
from .background_tasks import BackgroundTask, BackgroundTasks


class MatchTimer:
    """Runs a task when the next automatic event of a match is due."""

    def __init__(self, tasks: BackgroundTasks, now_ms: NowMs, on_due: BackgroundTask) -> None:
        self._tasks = tasks
        self._now_ms = now_ms
        self._on_due = on_due
        self._due_at_ms: int | None = None
        self._wake_at_ms: int | None = None
        """When the room is to be woken: later than `_due_at_ms` by the lag of the seat to move."""
        self._wakes_at_ms = 0
        """When the timer wakes, if it runs; it may be too early."""
        self._timer: asyncio.TimerHandle | None = None
        self._is_held = False

    def hold(self) -> None:
        """Wake no more until `release`; meanwhile something counts as due."""
        self._is_held = True
        self.close()

    def release(self) -> None:
        """Wake again, after the next `set`."""
        self._is_held = False

    def set(self, match: Match, lag: LagCompensation = NO_COMPENSATION, *, wakes: bool = True) -> None:
        """Wait for the next automatic event of the match as it stands; a flag falls late by the lag of its seat.

        If another node is woken for it, nothing is waited for, but it counts as due when its time has come.
        """
        due_at_ms = self._due_at_ms = match.due_at_ms
        self._wake_at_ms = due_at_ms + lag.compensation_ms(match.to_move) if wakes and due_at_ms is not None else None
        if (
            self._wake_at_ms is not None
            and not self._is_held
            and (self._timer is None or self._wake_at_ms < self._wakes_at_ms)
        ):
            self._start(self._wake_at_ms)

    def is_due(self, now_ms: int) -> bool:
        """Return whether the time for an automatic event has come, apart from lag."""
        return self._is_held or (self._due_at_ms is not None and now_ms >= self._due_at_ms)

    def clear(self) -> None:
        """Wait for nothing."""
        self._due_at_ms = self._wake_at_ms = None
        self.close()

    def close(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _start(self, wakes_at_ms: int) -> None:
        self.close()
        self._wakes_at_ms = wakes_at_ms
        seconds = max(0, wakes_at_ms - self._now_ms()) / 1000
        self._timer = asyncio.get_running_loop().call_later(seconds, self._wake)

    def _wake(self) -> None:
        self._timer = None
        if self._wake_at_ms is None:
            return
        if self._now_ms() < self._wake_at_ms:
            self._start(self._wake_at_ms)
        else:
            self._tasks.begin(self._on_due)
