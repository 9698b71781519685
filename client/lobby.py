"""The lists of matches and bots that everybody, or this player, may choose from.

Taking something from them is a command of `client.match_commands`. `Connection.lobby` is one of these.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace.server.protocol import (
    LiveMatches,
    MatchSummary,
    Message,
    OnlineBot,
    OnlineBots,
    Seek,
    Seeks,
    WatchLobby,
    WatchYourMatches,
    YourMatch,
    YourMatches,
)

from .lists import FollowedLists


class LobbyClient:
    """What there is to choose from, each list now and whenever it has changed; a slow reader gets the latest only.

    Every method raises ConnectionLostError.
    """

    def __init__(self, post: Callable[[Message], None]) -> None:
        self._lobby = FollowedLists(post, WatchLobby(), WatchLobby(on=False), LiveMatches, Seeks, OnlineBots)
        self._own = FollowedLists(post, WatchYourMatches(), WatchYourMatches(on=False), YourMatches)
        self.hearers = (self._lobby, self._own)

    async def live_matches(self) -> AsyncGenerator[tuple[MatchSummary, ...], None]:
        """Yield the dozen live matches most worth watching."""
        async with aclosing(self._lobby.read(LiveMatches)) as lists:
            async for told in lists:
                yield told.matches

    async def seeks(self) -> AsyncGenerator[tuple[Seek, ...], None]:
        """Yield the matches that wait for players; `join` takes one."""
        async with aclosing(self._lobby.read(Seeks)) as lists:
            async for told in lists:
                yield told.seeks

    async def online_bots(self) -> AsyncGenerator[tuple[OnlineBot, ...], None]:
        """Yield the bots that take challenges; `challenge` asks one."""
        async with aclosing(self._lobby.read(OnlineBots)) as lists:
            async for told in lists:
                yield told.bots

    async def your_matches(self) -> AsyncGenerator[tuple[YourMatch, ...], None]:
        """Yield this player's matches being played, those that wait for a ply of theirs first."""
        async with aclosing(self._own.read(YourMatches)) as lists:
            async for told in lists:
                yield told.matches
