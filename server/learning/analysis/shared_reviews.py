"""The matches being reviewed by the nodes of a cluster, so that each match is reviewed on one node only."""

import asyncio
from contextlib import suppress

import msgspec

from millrace.protocol import MatchId

from ...cluster.bus import Bus
from ...cluster.shared_map import SharedMap


class ReviewProgress(msgspec.Struct, frozen=True):
    """A node's progress with a review."""

    by: str
    """Whose allowance it uses."""
    done: int
    """Number of judged plies."""


class SharedReviews(SharedMap[ReviewProgress]):
    """This node's progress with each match that it reviews, shared with the others, and theirs.

    A review is removed when it is stored or given up.
    """

    def __init__(self, bus: Bus) -> None:
        super().__init__(bus, "reviews", ReviewProgress, self._review_changed)
        self._node = bus.node
        self._awaited: dict[str, asyncio.Event] = {}
        """Set when the progress of a review on another node has changed."""

    def is_first(self, match: MatchId) -> bool:
        """Return whether this node continues if others have started to review the same match at the same time."""
        return all(self._node < other for other in self.nodes_with(match))

    def is_busy_elsewhere(self, by: str) -> bool:
        """Return whether another node reviews a match on this allowance."""
        return any(progress.by == by for progress in self.all_elsewhere().values())

    async def wait(self, match: MatchId, seconds: float) -> bool:
        """Wait for news of a review on other nodes; return whether there was any within that time."""
        changed = self._awaited.setdefault(match, asyncio.Event())
        try:
            with suppress(TimeoutError):
                async with asyncio.timeout(seconds):
                    await changed.wait()
            return changed.is_set()
        finally:
            del self._awaited[match]

    def _review_changed(self, match: str) -> None:
        changed = self._awaited.get(match)
        if changed is not None:
            changed.set()
