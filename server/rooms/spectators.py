"""The crowd at a match: those who watch without a seat, told in slices, so that however many they are, the event loop
answers the players between.

Each has its place in one log of frames; who is behind when a slice comes to it gets all that it lacks in one piece.
"""

import asyncio
from collections.abc import Iterator, Sequence
from itertools import islice

from ..identity.presence import Recipient
from ..protocol import IdentityId
from ..protocol.frames import WireFrame

SLICE = 50
"""So many are told in one turn of the event loop: with their writes about half a millisecond."""


class Crowd:
    """Those who watch, with what each still lacks."""

    def __init__(self) -> None:
        self._known: dict[Recipient, int] = {}
        """How many frames each has been given, counted as `_end` is."""
        self._log: list[WireFrame] = []
        """The latest frames, as far back as anybody lacks them."""
        self._end = 0
        """How many frames there have been, those before anybody came included."""
        self._round: Iterator[Recipient] | None = None
        """Those who are still to be told in this round."""
        self._round_end = 0
        """How many frames there were when the round began."""

    def __len__(self) -> int:
        return len(self._known)

    def add(self, listener: Recipient) -> None:
        """Tell a listener what is told from now on, and nothing that was told before."""
        self._known[listener] = self._end

    def remove(self, listener: Recipient) -> None:
        """Tell a listener nothing more."""
        self._known.pop(listener, None)

    def take_out(self, identity: IdentityId) -> tuple[Recipient, ...]:
        """Tell somebody what is still lacking, and nothing more, and return the connections."""
        own = tuple(listener for listener in self._known if listener.identity == identity)
        for listener in own:
            known = self._known.pop(listener)
            if known < self._end:
                listener.deliver(self._since(known))
        return own

    def tell(self, frames: Sequence[WireFrame]) -> None:
        """Tell everybody some frames, from the turn of the event loop on that follows the next.

        In the next, what players were told before is written.
        """
        if not self._known:
            return
        self._log += frames
        self._end += len(frames)
        if self._round is None:
            self._begin_round()
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._tell_slice)

    def _begin_round(self) -> None:
        self._round, self._round_end = iter(tuple(self._known)), self._end

    def _tell_slice(self) -> None:
        assert self._round is not None
        count = 0
        for count, listener in enumerate(islice(self._round, SLICE), 1):  # noqa: B007  # told below
            known = self._known.get(listener)
            if known is not None and known < self._end:
                self._known[listener] = self._end
                listener.deliver_now(self._since(known))
        if count == SLICE:
            asyncio.get_running_loop().call_soon(self._tell_slice)
        elif self._round_end < self._end:
            # Those who came first in this round lack what was told since.
            self._begin_round()
            asyncio.get_running_loop().call_soon(self._tell_slice)
        else:
            self._round = None
            self._log.clear()

    def _since(self, known: int) -> list[WireFrame]:
        return self._log[known - self._end :]
