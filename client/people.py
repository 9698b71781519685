"""People: who is online, what they say of themselves and how they rate, whom this player follows and blocks.

`Connection.people` is one of these.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing

from millrace.server.protocol import (
    About,
    Block,
    Blocked,
    Done,
    FindPeople,
    Follow,
    FollowedPeople,
    FoundPeople,
    GetAbout,
    GetBlocked,
    GetLeaders,
    GetPreferences,
    GetProfile,
    IdentityId,
    Leaders,
    Message,
    OnlinePeople,
    Person,
    Preferences,
    Profile,
    RatingKind,
    SetAbout,
    SetShown,
    Unblock,
    WatchPeople,
)

from .asking import Requests, new_id
from .lists import FollowedLists


class PeopleClient:
    """What a connection asks and hears of people. Every method raises RefusedError and ConnectionLostError."""

    def __init__(self, requests: Requests, post: Callable[[Message], None]) -> None:
        self._ask = requests.ask
        self._lists = FollowedLists(post, WatchPeople(), WatchPeople(on=False), OnlinePeople, FollowedPeople)
        self.hearers = (self._lists,)

    async def online(self) -> AsyncGenerator[OnlinePeople, None]:
        """Yield who is online, now and whenever it has changed; a slow reader gets the latest only."""
        async with aclosing(self._lists.read(OnlinePeople)) as lists:
            async for told in lists:
                yield told

    async def followed(self) -> AsyncGenerator[tuple[Person, ...], None]:
        """Yield those whom this player follows, now and whenever it has changed; a slow reader gets the latest only."""
        async with aclosing(self._lists.read(FollowedPeople)) as lists:
            async for told in lists:
                yield told.people

    async def find(self, prefix: str) -> tuple[Person, ...]:
        """Return the accounts whose names begin so."""
        return (await self._ask(FindPeople(new_id(), prefix), FoundPeople)).people

    async def about(self, name: str) -> About:
        """Return what the owner of an account, or a bot (`bot-3`), says and does."""
        return await self._ask(GetAbout(new_id(), name), About)

    async def profile(self, name: str) -> Profile:
        """Return the ratings and latest matches of the owner of an account, or of a bot (`bot-3`)."""
        return await self._ask(GetProfile(new_id(), name), Profile)

    async def leaders(self, kind: RatingKind) -> Leaders:
        """Return the best players of a kind of match."""
        return await self._ask(GetLeaders(new_id(), kind), Leaders)

    async def follow(self, player: IdentityId, on: bool = True) -> None:
        """Follow the owner of an account, or no longer; nobody else is told."""
        await self._ask(Follow(new_id(), player, on), Done)

    async def block(self, player: IdentityId) -> tuple[IdentityId, ...]:
        """Never be paired with somebody, nor see seeks and challenges of theirs; return everyone who is blocked."""
        return (await self._ask(Block(new_id(), player), Blocked)).players

    async def unblock(self, player: IdentityId) -> tuple[IdentityId, ...]:
        """Take a block back; return everyone who is blocked."""
        return (await self._ask(Unblock(new_id(), player), Blocked)).players

    async def blocked(self) -> tuple[IdentityId, ...]:
        """Return everyone who is blocked."""
        return (await self._ask(GetBlocked(new_id()), Blocked)).players

    async def introduce(self, bio: str = "", country: str | None = None) -> None:
        """Say something of oneself, in place of what was said before."""
        await self._ask(SetAbout(new_id(), bio, country), Done)

    async def show(self, on: bool = True) -> None:
        """Be seen online, or be seen no longer."""
        await self._ask(SetShown(new_id(), on), Done)

    async def preferences(self) -> Preferences:
        """Return what the owner of this account has chosen of all this."""
        return await self._ask(GetPreferences(new_id()), Preferences)
