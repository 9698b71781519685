"""Everybody at a match: who holds a seat is told first, then the crowd; and all are told who is there.

What happens in the match is the room's business.
"""

import asyncio
from collections.abc import Callable, Sequence

from ..identity.presence import Recipient
from ..matches.match import Match
from ..protocol import AudienceUpdate, IdentityId
from ..protocol.frames import WireFrame, frame_of
from ..system_clock import NowMs
from .presence import Attendance
from .spectators import Crowd

AUDIENCE_INTERVAL_SECONDS = 0.5
"""Who is there is told at most so often."""

LARGE_CROWD = 50
"""A larger one is told its number so much more seldom as it is larger."""

LONGEST_INTERVAL_SECONDS = 10.0


class Gathering:
    """Everybody who is told what happens in a match."""

    def __init__(
        self, match: Callable[[], Match], attendance: Attendance, now_ms: NowMs, changed: Callable[[], None]
    ) -> None:
        self._match = match
        self.attendance = attendance
        """The people who count as being there."""
        self._now_ms = now_ms
        self._changed = changed
        self._seated: set[Recipient] = set()
        self._crowd = Crowd()
        self._counted: set[Recipient] = set()
        """Those of both who are more than a glance."""
        self._timer: asyncio.TimerHandle | None = None
        self._told_presence: tuple[object, ...] = ()
        self._count_due_at = 0.0

    def __bool__(self) -> bool:
        return bool(self._seated or self._crowd)

    def add(self, listener: Recipient, *, is_glance: bool) -> None:
        """Tell a listener everything from now on."""
        if listener.identity in self._match().people:
            self._seated.add(listener)
        else:
            self._crowd.add(listener)
        if not is_glance and listener not in self._counted:
            self._counted.add(listener)
            self.attendance.came(listener.identity)

    def remove(self, listener: Recipient, *, has_closed: bool) -> None:
        """Tell a listener nothing more."""
        self._seated.discard(listener)
        self._crowd.remove(listener)
        if listener in self._counted:
            self._counted.discard(listener)
            self.attendance.went(listener.identity, has_closed, self._now_ms())

    def seat(self, identity: IdentityId) -> None:
        """Note that somebody has a seat now."""
        self._seated.update(self._crowd.take_out(identity))

    def tell(self, frames: Sequence[WireFrame], frames_for_crowd: Sequence[WireFrame]) -> None:
        """Tell those who hold seats, and after them the others."""
        for listener in tuple(self._seated):
            listener.deliver(frames)
        self._crowd.tell(frames_for_crowd)

    def tell_one(self, identity: IdentityId, make_frame: Callable[[], WireFrame]) -> None:
        """Tell somebody who holds a seat something more."""
        for listener in tuple(self._seated):
            if listener.identity == identity:
                listener.deliver([make_frame()])

    def audience_for(self, *, is_seated: bool) -> AudienceUpdate:
        """Return who is there, as those who hold seats hear of it or as the others do."""
        return self.attendance.audience(self._match(), tells_claims=is_seated)

    def audience_changed(self) -> None:
        """Tell everybody soon who is there."""
        loop = asyncio.get_running_loop()
        soon = loop.time() + AUDIENCE_INTERVAL_SECONDS
        if self._timer is not None:
            if self._timer.when() <= soon:
                return
            self._timer.cancel()
        self._timer = loop.call_at(soon, self._tell_audience)

    def close(self) -> None:
        """Tell nobody who is there any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _tell_audience(self) -> None:
        self._timer = None
        loop = asyncio.get_running_loop()
        audience = self.audience_for(is_seated=False)
        frame = frame_of(self.audience_for(is_seated=True))
        for listener in tuple(self._seated):
            listener.deliver([frame])
        presence = (audience.present, audience.claimable_at_ms)
        if presence != self._told_presence or loop.time() >= self._count_due_at:
            self._told_presence = presence
            self._count_due_at = loop.time() + interval_seconds(len(self._crowd))
            self._crowd.tell([frame_of(audience)])
        else:
            self._timer = loop.call_at(self._count_due_at, self._tell_audience)
        self._changed()


def interval_seconds(crowd: int) -> float:
    """Return how often a crowd is told its number at most.

    >>> interval_seconds(10), interval_seconds(200), interval_seconds(5_000)
    (0.5, 2.0, 10.0)
    """
    return min(LONGEST_INTERVAL_SECONDS, AUDIENCE_INTERVAL_SECONDS * max(1.0, crowd / LARGE_CROWD))
