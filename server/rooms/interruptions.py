"""Interruptions: while the database cannot store anything, play stands still, and every player is told so.

A heartbeat in the journal shows whether it can: moves are stored the same way. When it can again, the clocks go on as
after a restart, so nobody loses time by a full disk or a database that is being restarted.
"""

import asyncio
import socket
from collections.abc import Coroutine, Sequence

import structlog

from millrace.protocol import Interruption
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.caller import Caller
from ..callers.feature import Feature
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.events import InterruptionEnded
from ..journal.journal_store import Journal
from ..runtime import metrics
from ..runtime.system_clock import NowMs
from .rooms import Rooms

HEARTBEAT_SECONDS = 1.0
"""Interval of heartbeats in the journal; after a crash, clocks stand still from the last one."""

SILENT_SECONDS = 3.0
"""Time without an answer after which the database counts as silent, and after which, once more, its connections end:
they may be dead.
"""

BEGUN = Interruption(
    False, "The server cannot store moves right now. Play is paused and the clocks are stopped until it can."
)
OVER = Interruption(True, "Play continues.")

log = structlog.get_logger()


class Interruptions(Feature):
    """Watches the journal, and interrupts all play while nothing can be stored."""

    def __init__(self, journal: Journal, rooms: Rooms, presence: Presence, bus: Bus, now_ms: NowMs) -> None:
        self._journal = journal
        self._rooms = rooms
        self._presence = presence
        self._bus = bus
        self._now_ms = now_ms
        self._stored_ms = now_ms()
        """When the last heartbeat began that was stored."""
        self._is_interrupted = False

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return the watch over the journal."""
        return (self._watch(),)

    def greet(self, caller: Caller) -> Sequence[WireFrame]:  # noqa: ARG002  # the same for everyone
        """Return the message about an interruption that is under way."""
        return (frame_of(BEGUN),) if self._is_interrupted else ()

    async def _watch(self) -> None:
        node = socket.gethostname()
        while True:
            await self._beat(node)
            await asyncio.sleep(HEARTBEAT_SECONDS)

    async def _beat(self, node: str) -> None:
        began_ms = self._now_ms()
        beat = asyncio.ensure_future(self._journal.beat(node, began_ms))
        try:
            await asyncio.wait((beat,), timeout=SILENT_SECONDS)
            if not beat.done():
                self._begin("the database does not answer")
                await asyncio.wait((beat,), timeout=SILENT_SECONDS)
            if not beat.done():
                self._journal.break_off()
                await asyncio.wait((beat,))
        finally:
            beat.cancel()
        error = beat.exception()
        if error is None:
            since_ms, self._stored_ms = self._stored_ms, began_ms
            self._end(since_ms)
        else:
            self._begin(str(error) or type(error).__name__)

    def _begin(self, reason: str) -> None:
        if self._is_interrupted:
            return
        self._is_interrupted = True
        metrics.INTERRUPTED.set(1)
        log.error("play is interrupted", reason=reason)
        self._rooms.interrupt(self._stored_ms)
        self._tell(BEGUN)

    def _end(self, since_ms: int) -> None:
        if not self._is_interrupted:
            return
        self._is_interrupted = False
        metrics.INTERRUPTED.set(0)
        log.warning("play continues")
        self._rooms.end_interruption()
        self._bus.publish(InterruptionEnded(since_ms))
        self._tell(OVER)

    def _tell(self, message: Interruption) -> None:
        frames = (frame_of(message),)
        for player in self._presence.players_here:
            self._presence.deliver(player.id, frames)
