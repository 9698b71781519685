"""The handler of messages about one match: watching it, and every command of its players but joining.

Joining is the lobby's, which knows who may take an open seat.
"""

from collections.abc import Awaitable
from typing import NamedTuple, get_args

from millrace.engine.game import SetupError, UnknownGameError
from millrace.protocol import (
    Accepted,
    Code,
    Decline,
    Describe,
    Done,
    Join,
    MatchCommand,
    MatchId,
    PlayForBot,
    Preview,
    Rematch,
    Scope,
    SwitchableFeature,
    ThinkForBot,
    Unwatch,
    Watch,
)
from millrace.protocol.refusal import Refusal

from ..callers.caller import Caller
from ..callers.feature import Access, Feature, Route
from ..callers.limit import Limit
from ..callers.limits import Hold, Limits
from ..matches.fair_play import BotCommand, position_for_bot, require_fair_bot
from ..matches.views import previewed
from .page_bots import offer_to_think, take_move, withdraw_offer
from .player_commands import carry_out
from .room import Room
from .rooms import Rooms
from .watching import unwatch, watch

WATCHED_MATCHES = Limit(
    name="watched_matches",
    counts="matches watched",
    refusal="You can watch at most {bound} matches at a time.",
    connection=64,
    account=256,
    guest=128,
    address=2_000,
)
WATCHED_BOT_MATCHES = Limit(
    name="watched_bot_matches",
    counts="matches between bots watched; unwatched ones are paused",
    refusal="You can watch at most {bound} matches between bots at a time.",
    account=8,
    guest=4,
    address=32,
)


class _Watched(NamedTuple):
    """A match that a connection watches."""

    room: Room
    hold: Hold
    bots_hold: Hold | None
    """Counts it among the matches between bots, whose bots play because it is watched."""

    def release(self) -> None:
        """Count it no longer."""
        self.hold.release()
        if self.bots_hold is not None:
            self.bots_hold.release()


class MatchHandler(Feature):
    """Answers what players and spectators ask about one match."""

    def __init__(self, rooms: Rooms, limits: Limits) -> None:
        self._rooms = rooms
        self._limits = limits
        self._watched: dict[Caller, dict[MatchId, _Watched]] = {}
        with_bot = get_args(BotCommand)
        play = [kind for kind in get_args(MatchCommand) if kind not in (Join, Decline, *with_bot)]
        self.routes = (
            *(Route(kind, self.command) for kind in play),
            *(Route(kind, self.command_with_bot) for kind in with_bot if kind is not Rematch),
            Route(Rematch, self.command_with_bot, feature=SwitchableFeature.MATCHES),
            Route(Decline, self.command, Scope.CHALLENGE),
            Route(Watch, self.watch, Scope.READ),
            Route(Unwatch, self.unwatch, Access.ANY_TOKEN),
            Route(ThinkForBot, self.think_for_bot, Access.SIGNED_IN),
            Route(PlayForBot, self.play_for_bot, Access.SIGNED_IN),
            Route(Preview, self.preview, Scope.READ),
            Route(Describe, self.describe, Scope.READ),
        )

    def command(self, command: MatchCommand, caller: Caller) -> Awaitable[Accepted]:
        """Carry out a player's command, and return the answer once its effect is stored. Raises: Refusal."""
        caller.expect_moves()
        room = self._rooms.loaded.get(command.match)
        if room is None:
            return self._load_and_command(command, caller)
        return carry_out(room, command, caller.player, caller.round_trip_ms)

    async def _load_and_command(self, command: MatchCommand, caller: Caller) -> Accepted:
        room = await self._rooms.find(command.match)
        return await carry_out(room, command, caller.player, caller.round_trip_ms)

    async def command_with_bot(self, command: BotCommand, caller: Caller) -> Accepted:
        """Carry out a command that may give a seat to a bot, if that is fair. Raises: Refusal."""
        room = await self._rooms.find(command.match)
        position = position_for_bot(room.match, command)
        if position is not None:
            others = [each for each in await self._rooms.played_by(caller.identity) if each.id != command.match]
            require_fair_bot(position, room.match.created.setup, caller.identity, others)
        return await carry_out(room, command, caller.player, caller.round_trip_ms)

    async def watch(self, message: Watch, caller: Caller) -> None:
        """Send a caller what it has missed of a match, and what happens from now on. Raises: Refusal."""
        room = await self._rooms.find(message.match)
        watched = self._watched.setdefault(caller, {})
        watched[message.match] = self._count(room, message, caller, watched.get(message.match))
        if room.match.seats_of(caller.identity):
            caller.expect_moves()
        watch(room, caller, message.since, is_glance=message.glance, reserves=message.reserves)

    async def unwatch(self, message: Unwatch, caller: Caller) -> None:
        """Send a caller nothing more about a match."""
        watched = self._watched.get(caller, {}).pop(message.match, None)
        if watched is not None:
            watched.release()
            unwatch(watched.room, caller, has_closed=True)

    async def think_for_bot(self, message: ThinkForBot, caller: Caller) -> None:
        """Ask a caller for the bot's moves in a match that it watches, or no more. Raises: Refusal."""
        watched = self._watched.get(caller, {}).get(message.match)
        if not message.on and watched is not None:
            withdraw_offer(watched.room, caller)
        elif message.on and watched is None:
            raise Refusal(Code.NOT_FOR_YOU, "Watch the match before you offer to think for its bot.")
        elif watched is not None:
            offer_to_think(watched.room, caller)

    async def play_for_bot(self, command: PlayForBot, caller: Caller) -> Done:
        """Take the move that a caller was asked for. Raises: Refusal."""
        take_move(await self._rooms.find(command.match), caller, command)
        return Done(command.id)

    def _count(self, room: Room, message: Watch, caller: Caller, before: _Watched | None) -> _Watched:
        """Count a match that a caller watches, and among those between bots unless it is a glance. Raises: Refusal."""
        hold = self._limits.hold(WATCHED_MATCHES, caller) if before is None else before.hold
        bots_hold = None if before is None else before.bots_hold
        if bots_hold is None and not message.glance and room.match.needs_spectators:
            for each in self._watched[caller].values():
                if each.bots_hold is not None and not each.room.match.needs_spectators:
                    each.bots_hold.release()
            try:
                bots_hold = self._limits.hold(WATCHED_BOT_MATCHES, caller)
            except Refusal:
                if before is None:
                    hold.release()
                raise
        return _Watched(room, hold, bots_hold)

    async def preview(self, message: Preview, caller: Caller) -> None:
        """Answer with what a match from a set-up text would begin with. Raises: Refusal."""
        try:
            caller.send(previewed(message))
        except UnknownGameError as error:
            raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
        except SetupError as error:
            raise Refusal(Code.BAD_SETUP, str(error)) from None

    async def describe(self, message: Describe, caller: Caller) -> None:
        """Answer with the position after some ply of a match. Raises: Refusal."""
        room = await self._rooms.find(message.match)
        caller.send(room.describe(message, caller.identity))

    def disconnect(self, caller: Caller) -> None:
        """Stop watching for a caller whose connection has ended."""
        for watched in self._watched.pop(caller, {}).values():
            watched.release()
            unwatch(watched.room, caller, has_closed=caller.has_left)
