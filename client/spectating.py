"""Live matches for spectators: the list of live matches, page by page, and the featured match of each game."""

from collections.abc import AsyncGenerator, Callable

from millrace.protocol import Featured, LivePage, Message, WatchFeatured, WatchLive

from .errors import ClientError
from .subscriptions import Latest, LatestOfEach


class SpectatingClient:
    """Lists for spectators; `Connection.spectating` is one. To follow a match, `watch` it.

    Each is yielded now and whenever it changes; a slow reader gets only the latest version. Every method raises
    ConnectionLostError.
    """

    receives = (LivePage, Featured)

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._post = post
        self._page = Latest[LivePage]()
        self._wanted_page: WatchLive | None = None
        self._featured = LatestOfEach[str, Featured](post)

    async def live(self, game: str | None = None, page: int = 0) -> AsyncGenerator[LivePage, None]:
        """Yield a page of the list of live matches, of one game or of all. Another call replaces the page."""
        wanted = self._wanted_page = WatchLive(game=game, page=page)
        self._page.set(None)
        self._post(wanted)
        pages = self._page.read()
        try:
            async for latest in pages:
                yield latest
        finally:
            await pages.aclose()
            if self._wanted_page is wanted:
                self._wanted_page = None
                self._post(WatchLive(on=False))

    def featured(self, game: str, *, exhibition: bool = True) -> AsyncGenerator[Featured, None]:
        """Yield the featured match of a game. With `exhibition`, bots may play while there is nothing else to feature.

        One reader for each game.
        """
        return self._featured.read(game, WatchFeatured(game, exhibition=exhibition), WatchFeatured(game, on=False))

    # For the connection

    def receive(self, message: LivePage | Featured) -> None:
        """Receive a page, or a featured match."""
        if isinstance(message, LivePage):
            if self._wanted_page is not None:
                self._page.set(message)
        elif (featured := self._featured.get(message.game)) is not None:
            featured.set(message)

    def resume(self) -> None:
        """Subscribe again on a new connection."""
        if self._wanted_page is not None:
            self._post(self._wanted_page)
        self._featured.resume()

    def fail(self, error: ClientError) -> None:
        """Raise an error in every reader."""
        self._page.fail(error)
        self._featured.fail(error)
