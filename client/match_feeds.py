"""The matches that a connection follows, each by one feed.

What a feed makes of its messages is `client.match_feed`.
"""

from collections.abc import Awaitable, Callable

from millrace.server.protocol import (
    Accepted,
    AudienceUpdate,
    IdentityId,
    MatchEvent,
    MatchEvents,
    MatchId,
    Message,
    Renamed,
    Turn,
    Watching,
)

from .feeds_by_match import FeedsByMatch
from .match_feed import FeedMessage, MatchFeed


class MatchFeeds(FeedsByMatch[MatchFeed]):
    """The feeds by their matches, and what they need of the connection."""

    hears = (Accepted, Watching, MatchEvent, MatchEvents, Turn, AudienceUpdate, Renamed)

    def __init__(
        self, post: Callable[[Message], None], play: Callable[[MatchId, int, str], Awaitable[Accepted]]
    ) -> None:
        super().__init__()
        self.post = post
        self.play = play

    def watch(self, player: IdentityId, match: MatchId, since: int, capacity: int) -> MatchFeed:
        """Begin a feed; another of the match that is still open is closed."""
        return self._open(MatchFeed(self, player, match, since, capacity))

    # For the connection

    def receive(self, message: Accepted | FeedMessage) -> None:
        """Hand a message to the feed of its match."""
        feed = self._feeds.get(message.match)
        if feed is None:
            return
        if isinstance(message, Accepted):
            feed.expect(message.seq)
        else:
            feed.receive(message)
