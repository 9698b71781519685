"""Spectators of one match: how many there are, and sending to them in slices, so that players do not wait.

Frames are kept in one list, and each spectator has an index into it. A spectator who is behind when a slice comes to
them gets everything that is missing in one write.
"""

import asyncio
from collections.abc import Collection, Iterator, Sequence
from itertools import islice

from millrace.protocol import IdentityId
from millrace.protocol.frames import WireFrame

from ..callers.presence import Recipient
from ..matches.match import Match

SLICE = 50
"""Spectators to whom one turn of the event loop sends: about half a millisecond with their writes."""


def count_spectators(present: Collection[IdentityId], match: Match) -> int:
    """Return how many of those who are present hold no seat."""
    return len(present) - sum(identity in present for identity in match.people)


class Spectators:
    """The connections that watch without a seat, with what each has been sent."""

    def __init__(self) -> None:
        self.sent: dict[Recipient, int] = {}
        """How many frames each has been sent, counted like `_end`."""
        self._frames: list[WireFrame] = []
        """The latest frames, as far back as any spectator lacks them."""
        self._end = 0
        """How many frames there have been, including those before a spectator came."""
        self._round: Iterator[Recipient] | None = None
        """The spectators who are still to be served in this round."""
        self._round_end = 0
        """How many frames there were when the round began."""

    def __len__(self) -> int:
        return len(self.sent)

    def add(self, listener: Recipient) -> None:
        """Send a spectator every frame from now on."""
        self.sent[listener] = self._end

    def remove(self, listener: Recipient) -> None:
        """Send a spectator nothing more."""
        self.sent.pop(listener, None)

    def take_out(self, identity: IdentityId) -> tuple[Recipient, ...]:
        """Remove and return the connections of an identity, after sending them what they still lack."""
        own = tuple(listener for listener in self.sent if listener.identity == identity)
        for listener in own:
            sent = self.sent.pop(listener)
            if sent < self._end:
                listener.deliver(self._since(sent))
        return own

    def send(self, frames: Sequence[WireFrame]) -> None:
        """Send frames to all spectators, beginning two turns of the event loop later.

        The turn between writes what was sent to players before.
        """
        if not self.sent:
            return
        self._frames += frames
        self._end += len(frames)
        if self._round is None:
            self._begin_round()
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._send_slice)

    def _begin_round(self) -> None:
        self._round, self._round_end = iter(tuple(self.sent)), self._end

    def _send_slice(self) -> None:
        assert self._round is not None
        count = 0
        for count, listener in enumerate(islice(self._round, SLICE), 1):  # noqa: B007  # read below
            sent = self.sent.get(listener)
            if sent is not None and sent < self._end:
                self.sent[listener] = self._end
                listener.deliver_now(self._since(sent))
        if count == SLICE:
            asyncio.get_running_loop().call_soon(self._send_slice)
        elif self._round_end < self._end:
            # Those who were served early in this round lack the frames that came since.
            self._begin_round()
            asyncio.get_running_loop().call_soon(self._send_slice)
        else:
            self._round = None
            self._frames.clear()

    def _since(self, sent: int) -> list[WireFrame]:
        return self._frames[sent - self._end :]
