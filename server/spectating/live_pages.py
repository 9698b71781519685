"""The pages of the list of live matches: each page is built once for all its readers and sent when it changes."""

from ..identity.presence import PlayerSession
from ..protocol import LivePage, WatchLive
from ..protocol.frames import WireFrame, frame_of
from .live_index import LiveIndex

MATCHES_TO_A_PAGE = 24

Place = tuple[str | None, int]
"""A game, or None for all, and the number of a page."""


class LivePages:
    """The readers of the list."""

    def __init__(self, index: LiveIndex) -> None:
        self._index = index
        self._readers: dict[Place, set[PlayerSession]] = {}
        self._told: dict[Place, WireFrame] = {}

    @property
    def is_followed(self) -> bool:
        """Whether anybody reads the list."""
        return bool(self._readers)

    def follow(self, command: WatchLive, reader: PlayerSession) -> None:
        """Tell somebody a page, now and whenever it changes, instead of another."""
        self.leave(reader)
        place = (command.game, command.page)
        self._readers.setdefault(place, set()).add(reader)
        if place not in self._told:
            self._told[place] = self._frame(place)
        reader.deliver([self._told[place]])

    def leave(self, reader: PlayerSession) -> None:
        """Tell somebody nothing more."""
        for place, readers in tuple(self._readers.items()):
            readers.discard(reader)
            if not readers:
                del self._readers[place]
                self._told.pop(place, None)

    def tell(self) -> None:
        """Tell everybody whose page has changed."""
        for place, readers in tuple(self._readers.items()):
            frame = self._frame(place)
            if frame == self._told.get(place):
                continue
            self._told[place] = frame
            for reader in tuple(readers):
                reader.deliver([frame])

    def close(self) -> None:
        """Tell nobody anything more."""
        self._readers.clear()

    def _frame(self, place: Place) -> WireFrame:
        game, page = place
        lines = self._index.listed(game)
        pages = max(1, -(-len(lines) // MATCHES_TO_A_PAGE))
        first = page * MATCHES_TO_A_PAGE
        matches = tuple(line.summary for line in lines[first : first + MATCHES_TO_A_PAGE])
        return frame_of(LivePage(game, page, pages, len(lines), matches))
