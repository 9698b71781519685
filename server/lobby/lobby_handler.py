"""The handler of the lobby: creating and joining matches, quick pairing, bots' challenge rules, and the lists."""

import random
from collections.abc import Coroutine, Sequence

from millrace.protocol import (
    Code,
    Create,
    Done,
    FindMatch,
    GetFittingBot,
    Join,
    PlayBot,
    Player,
    PlayNow,
    Scope,
    SetChallengeRules,
    StopSearch,
    SwitchableFeature,
    WatchLobby,
)
from millrace.protocol.frames import WireFrame
from millrace.protocol.refusal import Refusal

from ..archive.archive_store import ArchiveStore
from ..bots.requests import Bots
from ..callers.caller import Caller, FindPlayer
from ..callers.feature import Feature, Route
from ..callers.limit import DAY_MS, Limit
from ..callers.limits import Limits
from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.membership import Membership
from ..players.profiles.blocks import Blocks
from ..ratings.ratings import Ratings
from ..rooms.player_commands import carry_out
from ..rooms.rooms import Rooms
from ..runtime import metrics
from ..runtime.system_clock import NowMs
from ..spectating.live_index import LiveIndex
from .fitting_levels import FittingLevels
from .lists import LobbyLists
from .match_creation import MATCHES_CREATED, MatchCreation
from .matchmaker import Matchmaker
from .online_bots import OnlineBotList
from .play_now import ImmediatePlay
from .search_store import SearchStore
from .searches import PairedMatches
from .seeks import SeekList

GUEST_JOINS = Limit(
    name="guest_joins",
    counts="matches joined by guests, and quick pairings",
    refusal="Guests at your address have joined {bound} matches today; create an account to continue.",
    window_ms=DAY_MS,
    guests=250,
)


class LobbyHandler(Feature):
    """Seeks, challenges, quick pairing and the lobby's lists."""

    def __init__(
        self,
        rooms: Rooms,
        presence: Presence,
        blocks: Blocks,
        rating_lookup: Ratings,
        live: LiveIndex,
        find_player: FindPlayer,
        bots: Bots,
        bus: Bus,
        now_ms: NowMs,
        limits: Limits,
        archive: ArchiveStore,
        searches: SearchStore,
        membership: Membership,
    ) -> None:
        self._rooms = rooms
        self._limits = limits
        self._bots = OnlineBotList(rooms, bus)
        self._seeks = SeekList(rooms, presence, blocks, rating_lookup, bus, now_ms)
        self._creation = MatchCreation(rooms, self._seeks, self._bots, bots, find_player, bus, limits)
        self._matchmaker = Matchmaker(
            PairedMatches(rooms.new, searches),
            searches,
            membership,
            presence,
            blocks,
            rating_lookup,
            bots,
            bus,
            now_ms,
            random.SystemRandom(),
        )
        levels = FittingLevels(archive, rating_lookup)
        self._immediate_play = ImmediatePlay(
            rooms, self._matchmaker, self._seeks, self._creation, levels, self._count_join
        )
        self._lists = LobbyLists(live, self._seeks, self._bots, self._immediate_play.opponents_of, bus)
        self.routes = (
            Route(Create, self.create, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(Join, self.join, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(FindMatch, self.find_match, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(StopSearch, self.stop_search, Scope.CHALLENGE),
            Route(PlayBot, self.play_bot, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(PlayNow, self.play_now, Scope.CHALLENGE, feature=SwitchableFeature.MATCHES),
            Route(GetFittingBot, self.get_fitting_bot, Scope.READ),
            Route(SetChallengeRules, self.set_challenge_rules, Scope.CHALLENGE),
            Route(WatchLobby, self.watch, Scope.READ),
        )

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Run pairing waves, and hide the seeks of disconnected players."""
        return self._matchmaker.run(), self._seeks.run()

    def greet(self, caller: Caller) -> Sequence[WireFrame]:
        """Return the caller's search and challenges."""
        return *self._matchmaker.greet(caller.identity), *self._seeks.greet(caller.identity)

    def disconnect(self, caller: Caller) -> None:
        """Drop the challenge rules of a closed connection, and stop sending it the lists."""
        self._bots.disconnect(caller)
        self._lists.unwatch(caller)

    async def close(self) -> None:
        """Stop sending the lists."""
        self._lists.close()

    async def create(self, command: Create, caller: Caller) -> None:
        """Create a match: a seek, a challenge, or a match that starts at once. Raises: Refusal."""
        with metrics.COMMAND_SECONDS.time():
            caller.send(await self._creation.create(command, caller))

    async def join(self, command: Join, caller: Caller) -> None:
        """Take a seat in a match open to the player. Raises: Refusal."""
        caller.expect_moves()
        with metrics.COMMAND_SECONDS.time():
            room = await self._rooms.find(command.match)
            self._seeks.check_open_to(room.match, caller.player)
            self._count_join(caller)
            caller.send(await carry_out(room, command, caller.player, caller.round_trip_ms))

    async def find_match(self, command: FindMatch, caller: Caller) -> None:
        """Start a search for a quick pairing, or report on the existing one. Raises: Refusal."""
        player = caller.player
        if player.bot:
            raise Refusal(Code.NOT_FOR_BOTS, "Bots cannot use quick pairing; set challenge rules and wait instead.")
        answer = await self._matchmaker.find_answer(command, player.id)
        if answer is None:
            self._count_join(caller)
            self._limits.use(MATCHES_CREATED, caller)
            answer = await self._matchmaker.search(command, player)
        caller.send(answer)

    async def stop_search(self, command: StopSearch, caller: Caller) -> None:
        """End the player's search."""
        caller.send(await self._matchmaker.stop_search(command, caller.identity))

    async def play_bot(self, command: PlayBot, caller: Caller) -> None:
        """Start a match against the bot offered by the search. Raises: Refusal."""
        caller.send(await self._matchmaker.play_bot(command, caller.identity))

    async def play_now(self, command: PlayNow, caller: Caller) -> None:
        """Start a match against a waiting player, or else a bot. Raises: Refusal."""
        caller.expect_moves()
        with metrics.COMMAND_SECONDS.time():
            caller.send(await self._immediate_play.play(command, caller))

    async def get_fitting_bot(self, question: GetFittingBot, caller: Caller) -> None:
        """Answer with the bot that suits the player. Raises: Refusal."""
        caller.send(await self._immediate_play.find_fitting_bot(question, caller.player))

    async def set_challenge_rules(self, command: SetChallengeRules, caller: Caller) -> None:
        """Set the rules by which a bot accepts challenges. Raises: Refusal."""
        self._bots.set_rules(caller, command.rules)
        caller.send(Done(command.id))

    async def watch(self, message: WatchLobby, caller: Caller) -> None:
        """Send the lists, now and after each change; or stop."""
        (self._lists.watch if message.on else self._lists.unwatch)(caller)

    async def withdraw(self, player: Player) -> None:
        """End a player's search, and decline the challenges waiting for their answer. Raises: Refusal."""
        await self._matchmaker.withdraw(player.id)
        await self._seeks.decline_all(player)

    def _count_join(self, caller: Caller) -> None:
        """Count a guest's joining against the limit of the address. Raises: Refusal."""
        self._limits.use(GUEST_JOINS, caller)
