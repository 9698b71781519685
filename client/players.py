"""Players: who is online, their profiles and ratings, and whom this player follows and blocks."""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace import protocol

from .requests import Requests, new_id
from .subscriptions import ListSubscription


class PlayersClient:
    """Requests and lists about players; `Connection.players` is one.

    Every method raises RefusedError and ConnectionLostError.
    """

    def __init__(self, requests: Requests, post: Callable[[protocol.Message], None]) -> None:
        self._ask = requests.ask
        self._lists = ListSubscription(
            post,
            protocol.WatchPlayers(),
            protocol.WatchPlayers(on=False),
            protocol.OnlinePlayers,
            protocol.FollowedPlayers,
        )
        self.subscribers = (self._lists,)

    async def online(self) -> AsyncGenerator[protocol.OnlinePlayers, None]:
        """Yield who is online, now and after each change; a slow reader gets only the latest list."""
        async with aclosing(self._lists.read(protocol.OnlinePlayers)) as lists:
            async for message in lists:
                yield message

    async def followed(self) -> AsyncGenerator[tuple[protocol.PlayerStatus, ...], None]:
        """Yield the players whom this player follows, now and after each change; a slow reader gets only the latest
        list."""
        async with aclosing(self._lists.read(protocol.FollowedPlayers)) as lists:
            async for message in lists:
                yield message.players

    async def find(self, prefix: str) -> tuple[protocol.PlayerStatus, ...]:
        """Return the accounts whose names begin with a prefix."""
        return (await self._ask(protocol.FindPlayers(new_id(), prefix), protocol.FoundPlayers)).players

    async def profile(self, name: str) -> protocol.Profile:
        """Return the profile of an account, or of a bot (`bot-3`)."""
        return await self._ask(protocol.GetProfile(new_id(), name), protocol.Profile)

    async def ratings(self, name: str) -> protocol.PlayerRatings:
        """Return the ratings and latest matches of an account, or of a bot (`bot-3`)."""
        return await self._ask(protocol.GetPlayerRatings(new_id(), name), protocol.PlayerRatings)

    async def leaders(self, kind: protocol.RatingKind) -> protocol.Leaders:
        """Return the best players of a kind of match."""
        return await self._ask(protocol.GetLeaders(new_id(), kind), protocol.Leaders)

    async def follow(self, player: protocol.IdentityId, on: bool = True) -> None:
        """Follow the owner of an account, or stop following them; the other player is not notified."""
        await self._ask(protocol.Follow(new_id(), player, on), protocol.Done)

    async def block(self, player: protocol.IdentityId) -> tuple[protocol.IdentityId, ...]:
        """Never be paired with a player, and hide seeks and challenges from each other; return all blocked players."""
        return (await self._ask(protocol.Block(new_id(), player), protocol.Blocked)).players

    async def unblock(self, player: protocol.IdentityId) -> tuple[protocol.IdentityId, ...]:
        """Remove a block; return all blocked players."""
        return (await self._ask(protocol.Unblock(new_id(), player), protocol.Blocked)).players

    async def blocked(self) -> tuple[protocol.IdentityId, ...]:
        """Return all blocked players."""
        return (await self._ask(protocol.GetBlocked(new_id()), protocol.Blocked)).players

    async def set_profile(self, bio: str = "", country: str | None = None) -> None:
        """Replace the text and the country of this player's profile."""
        await self._ask(protocol.SetProfile(new_id(), bio, country), protocol.Done)

    async def set_online_visibility(self, online_visible: bool = True) -> None:
        """Show or hide when this player is online."""
        await self._ask(protocol.SetOnlineVisibility(new_id(), online_visible), protocol.Done)

    async def vacation(self, days: int | None = None) -> protocol.Vacation:
        """Go on vacation for a number of days from now on, 0 to come back, and return the vacation; None changes
        nothing. Meanwhile this player's clocks by correspondence stand still."""
        command = protocol.GetVacation(new_id()) if days is None else protocol.SetVacation(new_id(), days)
        return await self._ask(command, protocol.Vacation)

    async def preferences(self) -> protocol.Preferences:
        """Return this player's own profile and visibility settings."""
        return await self._ask(protocol.GetPreferences(new_id()), protocol.Preferences)

    async def page_settings(self) -> protocol.PageSettings | None:
        """Return this player's page settings; None if they were never changed."""
        return (await self._ask(protocol.GetPageSettings(new_id()), protocol.YourPageSettings)).settings

    async def set_page_settings(self, settings: protocol.PageSettings) -> None:
        """Replace this player's page settings, on every device."""
        await self._ask(protocol.SetPageSettings(new_id(), settings), protocol.Done)
