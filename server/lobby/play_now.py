"""Playing at once: against a waiting player, or else a bot of a suitable level.

Waiting players are those in quick pairing, and the creators of open matches. A repeated command leads to the same
match: each kind of match stores the command with it.
"""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass

from millrace.engine.games import GAMES, find_game
from millrace.protocol import (
    Code,
    Create,
    FittingBot,
    GetFittingBot,
    IdentityId,
    Join,
    MatchId,
    NowPlaying,
    Player,
    PlayNow,
    SeatPlan,
    WaitingOpponent,
)
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..journal.entries import Origin
from ..matches.creation import setup_for
from ..matches.named_games import require_game
from ..rooms.player_commands import carry_out
from ..rooms.rooms import Rooms
from ..runtime.turns import Turn
from .fitting_levels import FittingLevels
from .match_creation import MatchCreation
from .matchmaker import Matchmaker
from .search_store import pairing_insertions
from .seeks import SeekList


@dataclass(eq=False)
class ImmediatePlay:
    """Starts matches for players who name only a game."""

    _rooms: Rooms
    _matchmaker: Matchmaker
    _seeks: SeekList
    _creation: MatchCreation
    _levels: FittingLevels
    _count_join: Callable[[Caller], None]
    """Counts a match that a caller joins against a limit."""

    def __post_init__(self) -> None:
        self._turns: dict[IdentityId, Turn] = {}
        """The turns of players whose match is being found."""

    async def play(self, command: PlayNow, caller: Caller) -> NowPlaying:
        """Start a match, or find the one that the same command led to. Raises: Refusal."""
        if caller.player.bot:
            raise Refusal(Code.NOT_FOR_BOTS, "Bots cannot ask to be paired; set challenge rules and wait instead.")
        require_game(command.game)
        async with self._turn_of(caller.identity):
            match_id = await self._find_earlier(command, caller.player)
            if match_id is None:
                match_id = await self._begin_once(command, caller)
        match = (await self._rooms.find(match_id)).match
        opponents = (player for player in match.players if player is not None and player.id != caller.identity)
        return NowPlaying(command.id, match_id, tuple(opponents))

    async def find_fitting_bot(self, question: GetFittingBot, player: Player) -> FittingBot:
        """Return the level of the bot that `play` would choose. Raises: Refusal."""
        require_game(question.game)
        return FittingBot(question.id, question.game, await self._levels.level_for(player, question.game))

    def opponents_of(self, player: Player) -> tuple[WaitingOpponent, ...]:
        """Return the players with whom `play` would start a match, by game."""
        found = (self._opponent_in(game, player) for game in GAMES)
        return tuple(opponent for opponent in found if opponent is not None)

    def _opponent_in(self, game: str, player: Player) -> WaitingOpponent | None:
        search = self._matchmaker.find_partner(game, player)
        if search is not None:
            return WaitingOpponent(game, search.player, search.request.clock)
        seek = self._seeks.seek_to_join(player, game)
        if seek is None or seek.maker is None:
            return None
        return WaitingOpponent(game, seek.maker, seek.created.clock)

    async def _find_earlier(self, command: PlayNow, player: Player) -> MatchId | None:
        """Return the match that the same command led to before. Raises: Refusal."""
        paired = await self._matchmaker.find_paired(Origin(player.id, command.id))
        if paired is not None:
            return paired
        created = await self._rooms.new.find_created(command.id, player)
        return None if created is None else created.match

    async def _begin_once(self, command: PlayNow, caller: Caller) -> MatchId:
        """Start a match, or find the one to which another node led the same command meanwhile. Raises: Refusal."""
        try:
            return await self._begin(command, caller)
        except Refusal:
            earlier = await self._find_earlier(command, caller.player)
            if earlier is None:
                raise
            return earlier

    async def _begin(self, command: PlayNow, caller: Caller) -> MatchId:
        """Start a match. The player's search for a quick pairing ends. Raises: Refusal."""
        await self._rooms.wait_until_loaded()  # or an open match from before a restart might be missed
        match = await self._pair(command, caller) or await self._join_seek(command, caller)
        if match is None:
            match = await self._create_with_bot(command, caller)
        await self._matchmaker.withdraw(caller.identity)
        return match

    async def _pair(self, command: PlayNow, caller: Caller) -> MatchId | None:
        if self._matchmaker.find_partner(command.game, caller.player) is None:
            return None
        self._count_join(caller)
        return await self._matchmaker.pair_at_once(command.game, caller.player, command.id)

    async def _join_seek(self, command: PlayNow, caller: Caller) -> MatchId | None:
        """Join an open match; None if there is none, or if another player was first."""
        seek = self._seeks.seek_to_join(caller.player, command.game)
        if seek is None:
            return None
        self._count_join(caller)
        room = await self._rooms.find(seek.id)
        noted = pairing_insertions([Origin(caller.identity, command.id)], seek.id)
        try:
            await carry_out(room, Join(command.id, seek.id), caller.player, caller.round_trip_ms, noted)
        except Refusal as refusal:
            if refusal.code is Code.UNAVAILABLE:
                raise
            return None
        return seek.id

    async def _create_with_bot(self, command: PlayNow, caller: Caller) -> MatchId:
        seats = min(find_game(command.game).seats)
        level = await self._levels.level_for(caller.player, command.game)
        plans = (SeatPlan("me"), *[SeatPlan("bot", level)] * (seats - 1))
        created = Create(command.id, command.game, plans, setup_for(command.game, seats), shuffle=True)
        return (await self._creation.create(created, caller, [Origin(caller.identity, command.id)])).match

    @asynccontextmanager
    async def _turn_of(self, identity: IdentityId) -> AsyncIterator[None]:
        """Make a player's commands wait for each other, so that a repeated one finds the result of the first."""
        turn = self._turns.setdefault(identity, Turn())
        try:
            async with turn:
                yield
        finally:
            if not turn.is_taken:
                self._turns.pop(identity, None)
