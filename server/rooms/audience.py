"""The audience of one match on this node: the connections of its players and spectators.

Who is present, also on other nodes, is `server.rooms.match_presence`.
"""

import asyncio
from collections.abc import Sequence

from millrace.protocol import IdentityId
from millrace.protocol.frames import WireFrame

from ..callers.presence import Recipient
from .spectator_sending import Spectators


class Audience:
    """The connections that watch one match."""

    def __init__(self) -> None:
        self.players: set[Recipient] = set()
        self.spectators = Spectators()
        self.counted: set[Recipient] = set()
        """The connections of both that count as present: all but glances."""
        self.update_timer: asyncio.TimerHandle | None = None
        """Runs until the next update of who is present."""
        self.sent_presence: tuple[object, ...] = ()
        """What spectators were last told of who is present."""
        self.count_due_at = 0.0
        """When spectators are told their number again, by the loop's clock."""
        self.came: set[IdentityId] = set()
        """Who has begun to watch here; the other nodes have not been told yet."""
        self.left: dict[IdentityId, bool] = {}
        """Who watches here no longer, and whether they closed their connection on purpose; not told yet either."""
        self.reserving: set[IdentityId] = set()
        """Whose open seat is to be kept; not told yet either."""
        self.news_timer: asyncio.TimerHandle | None = None
        """Runs until the other nodes are told."""

    def __bool__(self) -> bool:
        return bool(self.players or self.spectators)

    def send(self, frames: Sequence[WireFrame], spectator_frames: Sequence[WireFrame]) -> None:
        """Send frames to the players, and others to the spectators after them."""
        for listener in tuple(self.players):
            listener.deliver(frames)
        if self.spectators.sent:
            self.spectators.send(spectator_frames)
