"""The desk for people: what they say of themselves, whom they follow, who is online, and how to find somebody."""

from typing import get_args

import structlog

from ..accounts.rate_limits import SlidingWindow
from ..accounts.store import AccountStore
from ..archive.store import ArchiveStore
from ..identity.caller import Caller
from ..identity.find_player import FindPlayer
from ..identity.presence import PlayerSession
from ..journal.store import StorageError
from ..journal.unavailable import refusing_failures
from ..matches.match import HOUSE_BOTS
from ..protocol import (
    Code,
    CommandId,
    Done,
    FindPlayers,
    Follow,
    FoundPlayers,
    GetPreferences,
    GetProfile,
    IdentityId,
    Player,
    PlayerStatus,
    Preferences,
    Profile,
    ProfileCommand,
    SetOnlineVisibility,
    SetProfile,
    WatchPlayers,
)
from ..protocol.refusal import Refusal
from ..system_clock import NowMs
from .bio import tidy_bio
from .blocks import Blocks
from .countries import COUNTRIES, check_country
from .directory import PlayerDirectory
from .follows import Follows
from .player_lists import PlayerLists
from .store import PlayerWithProfile, ProfileStore

log = structlog.get_logger()

HOUR_MS = 3_600_000
CHANGES_AN_HOUR = 20
"""So often somebody may change what they say of themselves."""
FOUND_PEOPLE = 20


class ProfileHandler:
    """What sessions ask for about people."""

    commands = get_args(ProfileCommand)

    def __init__(
        self,
        store: ProfileStore,
        accounts: AccountStore,
        archive: ArchiveStore,
        directory: PlayerDirectory,
        follows: Follows,
        blocks: Blocks,
        find_player: FindPlayer,
        now_ms: NowMs,
    ) -> None:
        self._store = store
        self._accounts = accounts
        self._archive = archive
        self._directory = directory
        self._follows = follows
        self._blocks = blocks
        self._find_player = find_player
        self._now_ms = now_ms
        self._changes = SlidingWindow(CHANGES_AN_HOUR, HOUR_MS)
        self.lists = PlayerLists(store, directory)
        blocks.observers.append(self._part)

    async def load(self) -> None:
        """Read what is stored. Raises: StorageError."""
        await self._directory.load()
        await self._follows.load()

    async def handle(self, command: ProfileCommand, caller: Caller) -> None:
        """Follow a command and answer it. Raises: Refusal."""
        with refusing_failures("people not stored", "do this"):
            await self._handle(command, caller)

    def leave(self, caller: PlayerSession) -> None:
        """Tell a connection, which is over, nothing more."""
        self.lists.unwatch(caller)

    async def forget(self, identity: IdentityId, _nobody: Player) -> None:
        """Forget what is kept of somebody whose account is deleted. Raises: StorageError."""
        await self._store.forget(identity)
        self._follows.forget(identity)
        self._directory.forget(identity)

    async def _handle(self, command: ProfileCommand, caller: Caller) -> None:
        match command:
            case GetProfile(id_, name):
                caller.send(await self._about(id_, name, caller.identity))
            case FindPlayers(id_, prefix):
                found = await self._store.find_by_prefix(prefix, FOUND_PEOPLE)
                caller.send(FoundPlayers(id_, tuple(self._directory.of_known(known) for known in found)))
            case WatchPlayers(on):
                await (self.lists.watch(caller) if on else self._unwatch(caller))
            case GetPreferences(id_):
                profile = await self._store.find(_owner(caller).id)
                caller.send(Preferences(id_, profile.bio, profile.country, not profile.is_hidden, COUNTRIES))
            case SetProfile() | SetOnlineVisibility() | Follow():
                await self._change(command, _owner(caller).id)
                caller.send(Done(command.id))

    async def _unwatch(self, caller: Caller) -> None:
        self.lists.unwatch(caller)

    async def _change(self, command: SetProfile | SetOnlineVisibility | Follow, identity: IdentityId) -> None:
        match command:
            case SetProfile(_, bio, country):
                bio = tidy_bio(bio)
                check_country(country)
                self._count_change(identity)
                await self._store.set_profile(identity, bio, country)
                self._directory.set_country(identity, country)
            case SetOnlineVisibility(_, on):
                await self._store.set_hidden(identity, not on)
                self._directory.set_hidden(identity, not on)
            case Follow(_, whom, on):
                await (self._follow(identity, whom) if on else self._follows.unfollow(identity, whom))
                await self.lists.follows_changed(identity)
                return
        self.lists.changed()

    async def _follow(self, by: IdentityId, whom: IdentityId) -> None:
        if await self._accounts.find(whom) is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "Only players with an account can be followed.")
        # A block comes either before, or parts the two afterwards.
        async with self._follows.turn:
            if self._blocks.are_apart(by, whom):
                raise Refusal(Code.NOT_FOR_YOU, "You cannot follow this player.")
            await self._follows.follow(by, whom, self._now_ms())

    async def _part(self, one: IdentityId, other: IdentityId) -> None:
        """Let two of whom one has blocked the other not follow one another. Raises: Refusal."""
        async with self._follows.turn:
            await self._follows.part(one, other)
        for identity in (one, other):
            try:
                await self.lists.follows_changed(identity)
            except StorageError as error:
                log.warning("list of followed people not read", error=str(error))

    async def _about(self, command: CommandId, name: str, asker: IdentityId) -> Profile:
        """Return what somebody says and does. Raises: Refusal, StorageError."""
        bot = HOUSE_BOTS.get(IdentityId(name))
        if bot is not None:
            return Profile(command, PlayerStatus(bot, online=True), "", 0, False)
        player = await self._find_player(name)
        if player is None:
            raise Refusal(Code.UNKNOWN_PLAYER, f"Nobody here is called {name}.")
        profile = await self._store.find(player.id)
        followers = self._follows.followers_of(player.id)
        status = self._directory.of_known(PlayerWithProfile(player, profile))
        scores = await self._archive.scores_of(player.id)
        is_followed = asker in followers
        return Profile(command, status, profile.bio, len(followers), is_followed, tuple(scores), profile.is_closed)

    def _count_change(self, identity: IdentityId) -> None:
        now_ms = self._now_ms()
        if not self._changes.has_room(identity, now_ms):
            raise Refusal(Code.RATE_LIMITED, "You have changed this often lately; please try again in an hour.")
        self._changes.add(identity, now_ms)


def _owner(caller: Caller) -> Player:
    player = caller.authentication.player
    if not player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "This needs an account; make one or sign in first.")
    return player
