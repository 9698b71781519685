"""Players: who is online, their profiles and ratings, and whom this player follows and blocks."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace.protocol import (
    Block,
    Blocked,
    Done,
    FindPlayers,
    Follow,
    FollowedPlayers,
    FoundPlayers,
    GetBlocked,
    GetLeaders,
    GetPageSettings,
    GetPlayerRatings,
    GetPreferences,
    GetProfile,
    IdentityId,
    Leaders,
    Message,
    OnlinePlayers,
    PageSettings,
    PlayerRatings,
    PlayerStatus,
    Preferences,
    Profile,
    RatingKind,
    SetOnlineVisibility,
    SetPageSettings,
    SetProfile,
    Unblock,
    WatchPlayers,
    YourPageSettings,
)

from .requests import Requests, new_id
from .subscriptions import ListSubscription


class PlayersClient:
    """Requests and lists about players; `Connection.players` is one.

    Every method raises RefusedError and ConnectionLostError.
    """

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        self._ask = requests.ask
        self._lists = ListSubscription(post, WatchPlayers(), WatchPlayers(on=False), OnlinePlayers, FollowedPlayers)
        self.subscribers = (self._lists,)

    async def online(self) -> AsyncGenerator[OnlinePlayers, None]:
        """Yield who is online, now and after each change; a slow reader gets only the latest list."""
        async with aclosing(self._lists.read(OnlinePlayers)) as lists:
            async for message in lists:
                yield message

    async def followed(self) -> AsyncGenerator[tuple[PlayerStatus, ...], None]:
        """Yield the players whom this player follows, now and after each change; a slow reader gets only the latest
        list."""
        async with aclosing(self._lists.read(FollowedPlayers)) as lists:
            async for message in lists:
                yield message.players

    async def find(self, prefix: str) -> tuple[PlayerStatus, ...]:
        """Return the accounts whose names begin with a prefix."""
        return (await self._ask(FindPlayers(new_id(), prefix), FoundPlayers)).players

    async def profile(self, name: str) -> Profile:
        """Return the profile of an account, or of a bot (`bot-3`)."""
        return await self._ask(GetProfile(new_id(), name), Profile)

    async def ratings(self, name: str) -> PlayerRatings:
        """Return the ratings and latest matches of an account, or of a bot (`bot-3`)."""
        return await self._ask(GetPlayerRatings(new_id(), name), PlayerRatings)

    async def leaders(self, kind: RatingKind) -> Leaders:
        """Return the best players of a kind of match."""
        return await self._ask(GetLeaders(new_id(), kind), Leaders)

    async def follow(self, player: IdentityId, on: bool = True) -> None:
        """Follow the owner of an account, or stop following them; the other player is not notified."""
        await self._ask(Follow(new_id(), player, on), Done)

    async def block(self, player: IdentityId) -> tuple[IdentityId, ...]:
        """Never be paired with a player, and hide seeks and challenges from each other; return all blocked players."""
        return (await self._ask(Block(new_id(), player), Blocked)).players

    async def unblock(self, player: IdentityId) -> tuple[IdentityId, ...]:
        """Remove a block; return all blocked players."""
        return (await self._ask(Unblock(new_id(), player), Blocked)).players

    async def blocked(self) -> tuple[IdentityId, ...]:
        """Return all blocked players."""
        return (await self._ask(GetBlocked(new_id()), Blocked)).players

    async def set_profile(self, bio: str = "", country: str | None = None) -> None:
        """Replace the text and the country of this player's profile."""
        await self._ask(SetProfile(new_id(), bio, country), Done)

    async def set_online_visibility(self, online_visible: bool = True) -> None:
        """Show or hide when this player is online."""
        await self._ask(SetOnlineVisibility(new_id(), online_visible), Done)

    async def preferences(self) -> Preferences:
        """Return this player's own profile and visibility settings."""
        return await self._ask(GetPreferences(new_id()), Preferences)

    async def page_settings(self) -> PageSettings | None:
        """Return this player's page settings; None if they were never changed."""
        return (await self._ask(GetPageSettings(new_id()), YourPageSettings)).settings

    async def set_page_settings(self, settings: PageSettings) -> None:
        """Replace this player's page settings, on every device."""
        await self._ask(SetPageSettings(new_id(), settings), Done)
