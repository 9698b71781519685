"""The feeds of one kind that a connection has open, at most one for each match."""

from typing import Generic, Protocol, TypeVar

from millrace.server.protocol import MatchId

from .errors import ClientError


class Feed(Protocol):
    """What a program reads of one match."""

    @property
    def match(self) -> MatchId:
        """Of which match."""

    def resume(self) -> None:
        """Ask on a new socket for what has not been received."""

    def close(self) -> None:
        """Ask for nothing more."""

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader when it has read what is there."""


FeedType = TypeVar("FeedType", bound=Feed)


class FeedsByMatch(Generic[FeedType]):
    """The feeds by their matches."""

    def __init__(self) -> None:
        self._feeds: dict[MatchId, FeedType] = {}

    def forget(self, feed: FeedType) -> None:
        """Hand the feed no more messages."""
        if self._feeds.get(feed.match) is feed:
            del self._feeds[feed.match]

    def _open(self, feed: FeedType) -> FeedType:
        """Begin a feed; another of the match that is still open is closed."""
        if feed.match in self._feeds:
            self._feeds[feed.match].close()
        self._feeds[feed.match] = feed
        feed.resume()
        return feed

    # For the connection

    def refuse(self, match: MatchId, error: ClientError) -> None:
        """Hear that what a feed is about is not to be had."""
        if match in self._feeds:
            self._feeds.pop(match).fail(error)

    def resume(self) -> None:
        """Ask on a new socket for what has not been received."""
        for feed in self._feeds.values():
            feed.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        for feed in self._feeds.values():
            feed.fail(error)
