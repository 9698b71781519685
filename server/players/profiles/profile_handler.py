"""The handler of profiles, page settings, follows, and the lists of players."""

from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass

from millrace.protocol import (
    Code,
    CommandId,
    Done,
    FindPlayers,
    Follow,
    FoundPlayers,
    GetPageSettings,
    GetPreferences,
    GetProfile,
    IdentityId,
    LadderSummary,
    Player,
    PlayerStatus,
    Preferences,
    Profile,
    Scope,
    SetOnlineVisibility,
    SetPageSettings,
    SetProfile,
    Trophy,
    WatchPlayers,
    YourPageSettings,
)
from millrace.protocol.refusal import Refusal

from ...archive.archive_store import ArchiveStore
from ...callers.caller import Caller, FindPlayer, account_of
from ...callers.feature import Access, Feature, Route
from ...callers.limit import HOUR_MS, MINUTE_MS, Limit
from ...callers.limits import Limits, Present
from ...cluster.bus import Bus
from ...cluster.events import AccountDeleted
from ...journal.unavailable import refusing_failures
from ...matches.built_in_bots import BUILT_IN_BOTS
from ...runtime.system_clock import NowMs
from ..accounts.account_store import AccountStore
from .blocks import Blocks
from .directory import PlayerDirectory
from .follows import FOLLOWED_PLAYERS, Follows
from .last_seen import LastSeen
from .player_lists import PlayerLists
from .profile_rules import COUNTRIES, check_country, tidy_bio
from .profile_store import PlayerWithProfile, ProfileStore

PROFILE_CHANGES = Limit(
    name="profile_changes",
    counts="changes of a profile or its visibility",
    refusal="You have changed your profile too often.",
    code=Code.RATE_LIMITED,
    window_ms=HOUR_MS,
    account=20,
    address=400,
)
FOLLOWS = Limit(
    name="follows",
    counts="players followed or unfollowed",
    refusal="You have followed or unfollowed many players in a short time.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=120,
    address=600,
)
PAGE_SETTINGS_CHANGES = Limit(
    name="page_settings_changes",
    counts="changes of an account's page settings",
    refusal="You have changed your settings too often.",
    code=Code.RATE_LIMITED,
    window_ms=MINUTE_MS,
    account=60,
    address=600,
)
FOUND_PLAYERS = 20
"""Maximum number of players returned by a search."""

TrophiesOf = Callable[[IdentityId], Awaitable[Sequence[Trophy]]]
"""Returns a player's trophies, the latest first. Raises: StorageError."""
LaddersOf = Callable[[IdentityId], Sequence[LadderSummary]]
"""Returns the ladders that a player is on, with the player's places."""


@dataclass(eq=False)
class ProfileHandler(Feature):
    """Profiles, follows and the lists of players."""

    _store: ProfileStore
    _accounts: AccountStore
    _archive: ArchiveStore
    _directory: PlayerDirectory
    _last_seen: LastSeen
    _follows: Follows
    _blocks: Blocks
    _lists: PlayerLists
    _find_player: FindPlayer
    _bus: Bus
    _now_ms: NowMs
    _limits: Limits
    _trophies_of: TrophiesOf
    _ladders_of: LaddersOf

    def __post_init__(self) -> None:
        self._bus.subscribe(AccountDeleted, self._account_deleted)
        self.routes = (
            Route(GetProfile, self.get_profile, Scope.READ),
            Route(FindPlayers, self.find_players, Scope.READ),
            Route(WatchPlayers, self.watch, Scope.READ),
            Route(GetPreferences, self.get_preferences, Access.SIGNED_IN),
            Route(SetProfile, self.set_profile, Access.SIGNED_IN),
            Route(SetOnlineVisibility, self.set_online_visibility, Access.SIGNED_IN),
            Route(GetPageSettings, self.get_page_settings, Access.SIGNED_IN),
            Route(SetPageSettings, self.set_page_settings, Access.SIGNED_IN),
            Route(Follow, self.follow, Access.SIGNED_IN),
        )

    async def load(self) -> None:
        """Read the directory and the follows. Raises: StorageError."""
        await self._directory.load()
        await self._follows.load()

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Store when players were last seen, and send changes of their lists."""
        return self._last_seen.run(), self._lists.run()

    def disconnect(self, caller: Caller) -> None:
        """Stop sending the lists to a closed connection."""
        self._lists.unwatch(caller)

    async def close(self) -> None:
        """Stop sending the lists, and store when players were last seen."""
        self._lists.close()
        await self._last_seen.store()

    async def get_profile(self, command: GetProfile, caller: Caller) -> None:
        """Answer with a player's profile. Raises: Refusal."""
        bot = BUILT_IN_BOTS.get(IdentityId(command.name))
        if bot is not None:
            caller.send(Profile(command.id, PlayerStatus(bot, online=True), "", 0, False))
            return
        with refusing_failures("profile not read", "look this up"):
            player = await self._find_player(command.name)
            if player is None:
                raise Refusal(Code.UNKNOWN_PLAYER, "No player is called {name}; check the spelling.", name=command.name)
            caller.send(await self._profile_of(player, command.id, caller.identity))

    async def find_players(self, command: FindPlayers, caller: Caller) -> None:
        """Answer with the accounts whose names begin with a prefix. Raises: Refusal."""
        with refusing_failures("players not read", "look this up"):
            found = await self._store.find_by_prefix(command.prefix, FOUND_PLAYERS)
        caller.send(FoundPlayers(command.id, tuple(map(self._directory.status_with_last_seen, found))))

    async def watch(self, message: WatchPlayers, caller: Caller) -> None:
        """Send the lists, now and after each change; or stop. Raises: Refusal."""
        if not message.on:
            self._lists.unwatch(caller)
            return
        with refusing_failures("followed players not read", "look this up"):
            await self._lists.watch(caller)

    async def get_preferences(self, command: GetPreferences, caller: Caller) -> None:
        """Answer with the player's own profile and visibility. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("profile not read", "look this up"):
            profile = await self._store.find(owner.id)
        caller.send(Preferences(command.id, profile.bio, profile.country, not profile.is_hidden, COUNTRIES))

    async def set_profile(self, command: SetProfile, caller: Caller) -> None:
        """Replace the player's bio and country. Raises: Refusal."""
        owner = account_of(caller)
        bio = tidy_bio(command.bio)
        check_country(command.country)
        self._limits.use(PROFILE_CHANGES, caller)
        with refusing_failures("profile not stored"):
            await self._store.set_profile(owner.id, bio, command.country)
        self._directory.set_country(owner.id, command.country)
        caller.send(Done(command.id))

    async def set_online_visibility(self, command: SetOnlineVisibility, caller: Caller) -> None:
        """Show or hide the player's online status. Raises: Refusal."""
        owner = account_of(caller)
        is_hidden = not command.online_visible
        self._limits.use(PROFILE_CHANGES, caller)
        with refusing_failures("visibility not stored"):
            await self._store.set_hidden(owner.id, is_hidden)
        self._directory.set_hidden(owner.id, is_hidden)
        caller.send(Done(command.id))

    async def get_page_settings(self, command: GetPageSettings, caller: Caller) -> None:
        """Answer with the player's settings of the page. Raises: Refusal."""
        owner = account_of(caller)
        with refusing_failures("settings not read", "look this up"):
            settings = await self._store.page_settings(owner.id)
        caller.send(YourPageSettings(command.id, settings))

    async def set_page_settings(self, command: SetPageSettings, caller: Caller) -> None:
        """Replace the player's settings of the page. Raises: Refusal."""
        owner = account_of(caller)
        self._limits.use(PAGE_SETTINGS_CHANGES, caller)
        with refusing_failures("settings not stored"):
            await self._store.set_page_settings(owner.id, command.settings)
        caller.send(Done(command.id))

    async def follow(self, command: Follow, caller: Caller) -> None:
        """Follow a player, or stop. Raises: Refusal."""
        owner = account_of(caller)
        self._limits.use(FOLLOWS, caller)
        with refusing_failures("follow not stored"):
            if command.on:
                followed = self._follows.of(owner.id)
                if command.player not in followed:
                    self._limits.require_room(FOLLOWED_PLAYERS, caller, Present(len(followed)))
                await self._follow(owner.id, command.player)
            else:
                await self._follows.unfollow(owner.id, command.player)
            await self._lists.follows_changed(owner.id)
        caller.send(Done(command.id))

    def _account_deleted(self, event: AccountDeleted) -> None:
        self._follows.forget(event.identity)
        self._directory.forget(event.identity)

    async def _profile_of(self, player: Player, command: CommandId, reader: IdentityId) -> Profile:
        """Return a profile as seen by one reader. Raises: StorageError."""
        profile = await self._store.find(player.id)
        status = self._directory.status_with_last_seen(PlayerWithProfile(player, profile))
        followers = self._follows.followers_of(player.id)
        scores = await self._archive.scores_of(player.id)
        is_followed = reader in followers
        trophies, ladders = await self._trophies_of(player.id), self._ladders_of(player.id)
        about = (profile.bio, len(followers), is_followed, tuple(scores), profile.is_closed)
        return Profile(command, status, *about, tuple(trophies), tuple(ladders))

    async def _follow(self, by: IdentityId, whom: IdentityId) -> None:
        if await self._accounts.find(whom) is None:
            raise Refusal(Code.UNKNOWN_PLAYER, "You can follow only players with an account.")
        # The lock prevents a block between the check and the follow.
        async with self._follows.lock:
            if self._blocks.are_apart(by, whom):
                raise Refusal(Code.NOT_FOR_YOU, "You cannot follow this player.")
            await self._follows.follow(by, whom, self._now_ms())
