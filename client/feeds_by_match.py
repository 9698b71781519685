"""The open feeds of one kind, at most one for each match."""

from typing import Generic, Protocol, TypeVar

from millrace.protocol import MatchId

from .errors import ClientError


class Feed(Protocol):
    """A stream of messages about one match."""

    @property
    def match(self) -> MatchId:
        """The match."""

    def resume(self) -> None:
        """Subscribe again on a new connection."""

    def close(self) -> None:
        """Unsubscribe."""

    def fail(self, error: ClientError) -> None:
        """Raise `error` in the reader, after the buffered messages."""


FeedType = TypeVar("FeedType", bound=Feed)


class FeedsByMatch(Generic[FeedType]):
    """The open feeds, by match."""

    def __init__(self) -> None:
        self._feeds: dict[MatchId, FeedType] = {}

    def forget(self, feed: FeedType) -> None:
        """Stop passing messages to a feed."""
        if self._feeds.get(feed.match) is feed:
            del self._feeds[feed.match]

    def _open(self, feed: FeedType) -> FeedType:
        """Start a feed; close an earlier one of the same match."""
        if feed.match in self._feeds:
            self._feeds[feed.match].close()
        self._feeds[feed.match] = feed
        feed.resume()
        return feed

    # For the connection

    def refuse(self, match: MatchId, error: ClientError) -> None:
        """End a feed whose subscription the server refused."""
        if match in self._feeds:
            self._feeds.pop(match).fail(error)

    def resume(self) -> None:
        """Subscribe again on a new connection."""
        for feed in self._feeds.values():
            feed.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        for feed in self._feeds.values():
            feed.fail(error)
