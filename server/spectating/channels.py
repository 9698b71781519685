"""The channels: for each game the match that is featured, and who looks at it.

Which match that is, is decided in `server.spectating.featured`. A channel that nobody follows decides nothing.
"""

from collections.abc import Iterator

from ..identity.presence import PlayerSession
from ..protocol import Featured, MatchId, WatchFeatured
from ..protocol.frames import WireFrame, frame_of
from ..system_clock import NowMs
from .featured import Candidate, Choice, choose
from .live_index import LiveIndex


class Channel:
    """What is featured of one game, while somebody follows it."""

    def __init__(self, game: str, index: LiveIndex) -> None:
        self.game = game
        self.viewers: dict[PlayerSession, bool] = {}
        """Whether bots may play for each."""
        self.choice: Choice | None = None
        self._index = index

    @property
    def match(self) -> MatchId | None:
        """What is featured."""
        return None if self.choice is None else self.choice.match

    @property
    def frame(self) -> WireFrame:
        """What its viewers are told."""
        return frame_of(Featured(self.game, self.match))

    def decide(self, now_ms: int) -> bool:
        """Decide what is featured now, and return whether that is another match."""
        before = self.match
        self.choice = choose(self.choice, tuple(self._candidates()), now_ms)
        return self.match != before

    def _candidates(self) -> Iterator[Candidate]:
        for line in self._index.listed(self.game):
            if line.moved_at_ms is not None:
                yield Candidate(line.summary.match, line.standing, line.moved_at_ms)


class Channels:
    """The channels that are followed."""

    def __init__(self, index: LiveIndex, now_ms: NowMs) -> None:
        self._index = index
        self._now_ms = now_ms
        self._channels: dict[str, Channel] = {}

    @property
    def is_followed(self) -> bool:
        """Whether anybody follows a channel."""
        return bool(self._channels)

    def find(self, game: str) -> Channel | None:
        """Return the channel of a game, if somebody follows it."""
        return self._channels.get(game)

    @property
    def all(self) -> tuple[Channel, ...]:
        """The channels that are followed."""
        return tuple(self._channels.values())

    def follow(self, command: WatchFeatured, viewer: PlayerSession) -> None:
        """Tell somebody what is featured of a game, now and whenever it is another."""
        channel = self._channels.get(command.game)
        if channel is None:
            channel = self._channels[command.game] = Channel(command.game, self._index)
            channel.decide(self._now_ms())
        channel.viewers[viewer] = command.exhibition
        viewer.deliver([channel.frame])

    def unfollow(self, game: str, viewer: PlayerSession) -> None:
        """Tell somebody no longer what is featured of a game."""
        channel = self._channels.get(game)
        if channel is None:
            return
        channel.viewers.pop(viewer, None)
        if not channel.viewers:
            del self._channels[game]

    def leave(self, viewer: PlayerSession) -> None:
        """Tell somebody nothing more."""
        for game in tuple(self._channels):
            self.unfollow(game, viewer)

    def tell(self) -> None:
        """Decide anew, and tell the viewers of each channel that features another match."""
        for channel in self.all:
            if channel.decide(self._now_ms()):
                frame = channel.frame
                for viewer in tuple(channel.viewers):
                    viewer.deliver([frame])

    def close(self) -> None:
        """Tell nobody anything more."""
        self._channels.clear()
