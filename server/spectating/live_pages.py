"""The pages of the list of live matches: each page is built once for all its readers and sent when it changes."""

from millrace.protocol import LivePage, WatchLive
from millrace.protocol.frames import WireFrame, frame_of

from ..callers.presence import PlayerSession
from .live_index import LiveIndex

MATCHES_PER_PAGE = 24

PageKey = tuple[str | None, int]
"""A game, or None for all games, and a page number."""


class LivePages:
    """The readers of the list of live matches."""

    def __init__(self, index: LiveIndex) -> None:
        self._index = index
        self._readers: dict[PageKey, set[PlayerSession]] = {}
        self._sent: dict[PageKey, WireFrame] = {}

    @property
    def has_readers(self) -> bool:
        """Whether the list has readers."""
        return bool(self._readers)

    def follow(self, command: WatchLive, reader: PlayerSession) -> None:
        """Send a reader a page, now and after each change, replacing any other page."""
        self.leave(reader)
        key = (command.game, command.page)
        self._readers.setdefault(key, set()).add(reader)
        if key not in self._sent:
            self._sent[key] = self._frame(key)
        reader.deliver([self._sent[key]])

    def leave(self, reader: PlayerSession) -> None:
        """Remove a reader."""
        for key, readers in tuple(self._readers.items()):
            readers.discard(reader)
            if not readers:
                del self._readers[key]
                self._sent.pop(key, None)

    def update(self) -> None:
        """Send each page that changed to its readers."""
        for key, readers in tuple(self._readers.items()):
            frame = self._frame(key)
            if frame == self._sent.get(key):
                continue
            self._sent[key] = frame
            for reader in tuple(readers):
                reader.deliver([frame])

    def close(self) -> None:
        """Remove all readers."""
        self._readers.clear()

    def _frame(self, key: PageKey) -> WireFrame:
        game, page = key
        lines = self._index.listed(game)
        pages = max(1, -(-len(lines) // MATCHES_PER_PAGE))
        first = page * MATCHES_PER_PAGE
        matches = tuple(line.summary for line in lines[first : first + MATCHES_PER_PAGE])
        return frame_of(LivePage(game, page, pages, len(lines), matches))
