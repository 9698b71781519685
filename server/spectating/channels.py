"""Channels: the featured match of each game, and its viewers.

`server.spectating.featured` chooses the match. A channel without viewers decides nothing.
"""

from collections.abc import Iterator

from millrace.protocol import Featured, MatchId, WatchFeatured
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from ..runtime.system_clock import NowMs
from .featured import Candidate, FeaturedChoice, choose_featured
from .live_index import LiveIndex


class Channel:
    """The featured match of one game, while there are viewers."""

    def __init__(self, game: str, index: LiveIndex) -> None:
        self.game = game
        self.viewers: dict[PlayerSession, bool] = {}
        """The viewers; the value says whether bots may play an exhibition for the viewer."""
        self.choice: FeaturedChoice | None = None
        self._index = index

    @property
    def match(self) -> MatchId | None:
        """The featured match."""
        return None if self.choice is None else self.choice.match

    @property
    def frame(self) -> WireFrame:
        """The frame for viewers."""
        return frame_of(Featured(self.game, self.match))

    def decide(self, now_ms: int) -> bool:
        """Choose the featured match, and return whether it changed."""
        before = self.match
        self.choice = choose_featured(self.choice, tuple(self._candidates()), now_ms)
        return self.match != before

    def _candidates(self) -> Iterator[Candidate]:
        for line in self._index.listed(self.game):
            if line.moved_at_ms is not None:
                yield Candidate(line.summary.match, line.rank, line.moved_at_ms)


class Channels:
    """The channels with viewers."""

    def __init__(self, index: LiveIndex, now_ms: NowMs) -> None:
        self._index = index
        self._now_ms = now_ms
        self._channels: dict[str, Channel] = {}

    @property
    def has_viewers(self) -> bool:
        """Whether any channel has viewers."""
        return bool(self._channels)

    def find(self, game: str) -> Channel | None:
        """Return the channel of a game, if it has viewers."""
        return self._channels.get(game)

    @property
    def all(self) -> tuple[Channel, ...]:
        """The channels with viewers."""
        return tuple(self._channels.values())

    def follow(self, command: WatchFeatured, viewer: PlayerSession) -> None:
        """Send a viewer the featured match of a game, now and after each change."""
        channel = self._channels.get(command.game)
        if channel is None:
            channel = self._channels[command.game] = Channel(command.game, self._index)
            channel.decide(self._now_ms())
        channel.viewers[viewer] = command.exhibition
        viewer.deliver([channel.frame])

    def unfollow(self, game: str, viewer: PlayerSession) -> None:
        """Remove a viewer from the channel of a game."""
        channel = self._channels.get(game)
        if channel is None:
            return
        channel.viewers.pop(viewer, None)
        if not channel.viewers:
            del self._channels[game]

    def leave(self, viewer: PlayerSession) -> None:
        """Remove a viewer from all channels."""
        for game in tuple(self._channels):
            self.unfollow(game, viewer)

    def update(self) -> None:
        """Choose again, and notify the viewers of each channel whose featured match changed."""
        for channel in self.all:
            if channel.decide(self._now_ms()):
                frame = channel.frame
                for viewer in tuple(channel.viewers):
                    viewer.deliver([frame])

    def close(self) -> None:
        """Remove all viewers."""
        self._channels.clear()
