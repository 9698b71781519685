"""A room: one match that is being played, with its audience, its bots, its timer and its rating.

The room puts its parts together, publishes new events, and starts what they lead to. Nobody learns of an event that
could still be lost. A player's command goes through `server.rooms.player_commands`; what happens without one is decided
in `server.rooms.automatic_decisions`; sockets are in `server.web.session`.

A match may have a room on several nodes. Each tells the others what it has stored; what happens without a command,
happens on the node that owns the match.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from millrace.protocol import (
    Accepted,
    Code,
    Describe,
    Described,
    IdentityId,
    MatchCommand,
    MatchId,
    MatchSummary,
    Moved,
    Player,
    Renamed,
)
from millrace.protocol.frames import frame_of
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.presence import Recipient
from ..cluster.bus import Bus
from ..cluster.events import MatchChanged, PlyMade
from ..cluster.match_events import EventsStored, WatchersChanged, WatchersListed
from ..cluster.membership import Membership
from ..journal.journal import Journal, Origin, Recorded
from ..journal.plans import PlanStore
from ..matches.endings import called_off
from ..matches.match import Match, Phase
from ..matches.referee import Decision
from ..matches.views import summary_of
from ..ratings.ratings import Ratings
from ..runtime.system_clock import NowMs
from ..runtime.turns import Turn
from .audience import Audience
from .automatic_decisions import AutomaticDecisions
from .background_tasks import BackgroundTasks
from .bot_draw_answers import BotDrawAnswers
from .bot_moves import BotMoves
from .event_log import AddedEvents, EventLog
from .event_reader import EventReader
from .event_writer import EventWriter
from .match_lag import MatchLag
from .match_notifier import MatchNotifier
from .match_presence import MatchPresence
from .match_timer import MatchTimer
from .planned_moves import PlannedMoves
from .player_commands import PlayerCommands
from .rating_settlement import settle_rating
from .rematches import OpenRematch, Rematches
from .shared_audience import SharedAudience


@dataclass(frozen=True)
class RoomServices:
    """The services of the server that every room uses."""

    journal: Journal
    plans: PlanStore
    bots: Bots
    now_ms: NowMs
    open_rematch: OpenRematch
    ratings: Ratings
    notifier: MatchNotifier
    bus: Bus
    membership: Membership
    patience: float
    """Factor for the waits before absence can be claimed."""
    bot_pace_seconds: float
    """Minimum time for a bot's ply against people or before spectators."""


class Room:
    """One match that is being played. `server.rooms.rooms` makes at most one for each match of a process."""

    def __init__(self, match_id: MatchId, recorded: Sequence[Recorded], services: RoomServices) -> None:
        self._id = match_id
        self._services = services
        self._turn = Turn()
        """Whose holder alone changes the match."""
        self._log = log = EventLog(match_id, recorded)
        self._lag = MatchLag(log.match)
        self._presence = MatchPresence(services.now_ms(), services.patience, self._tell_watcher)
        self._tasks = BackgroundTasks(match_id)
        self._timer = MatchTimer(self._tasks, services.now_ms, self._on_due)
        self._audience = Audience(log, self._presence, services.now_ms, self._changed)
        self._shared_audience = SharedAudience(
            match_id, self._presence, services.bus, services.now_ms, self._watchers_changed
        )
        self._is_shared = not services.bus.is_alone
        """Whether other nodes may have a room of this match."""
        self._writer = EventWriter(
            log, services.journal, services.notifier, self._presence.is_present, self._lag, services.bus
        )
        self._reader = EventReader(log, self._turn, self._writer, self._lag, self._tasks, self._publish)
        self._automatic = AutomaticDecisions(
            log,
            self._turn,
            self._writer,
            self._timer,
            self._lag,
            services.now_ms,
            self._publish,
            self.start,
            lambda: self._bot_moves.is_suspended,
        )
        self._commands = PlayerCommands(
            log,
            self._turn,
            self._writer,
            self._reader,
            self._automatic,
            self._timer,
            self._lag,
            self._presence,
            self._tasks,
            services.now_ms,
            services.ratings.seat_rating,
            self._publish,
            lambda: self.is_owned,
            self._is_shared,
        )
        apply = self._automatic.apply
        self._bot_moves = BotMoves(
            services.bots,
            services.now_ms,
            log,
            apply,
            self._presence,
            self._timer.clear,
            lambda: self.is_owned,
            services.bot_pace_seconds,
        )
        self._bot_draw_answers = BotDrawAnswers(services.bots, log, apply)
        self.planned_moves = PlannedMoves(services.plans, log, self._tasks, apply)
        self._rematches = Rematches(log, self._presence, self._tasks, apply, services.open_rematch)

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._log.match

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be missed if the room were closed: it can be loaded from the journal again."""
        is_playing_by_clock = self.match.phase is Phase.PLAYING and self.match.clock is not None
        is_timed = is_playing_by_clock or self.match.due_at_ms is not None
        is_standing = self._bot_moves.is_suspended or (self.match.is_between_bots and self.match.pause is not None)
        is_waiting_for_time = is_timed and not is_standing
        is_busy = self._turn.is_taken or self._bot_moves.is_busy or self._tasks.is_busy
        is_needed = is_waiting_for_time or self.match.is_rating_due or self._presence.is_watched_elsewhere
        return not (self._audience or is_busy or (is_needed and self.is_owned))

    @property
    def is_owned(self) -> bool:
        """Whether this node does what happens in the match without a command; each does while it hears of no other."""
        return self._services.membership.owns(self._id) or not self._services.bus.is_connected

    def is_watched_by(self, identity: IdentityId) -> bool:
        """Return whether an identity watches the match."""
        return self._presence.is_present(identity)

    @property
    def spectator_count(self) -> int:
        """The number of spectators on all nodes."""
        return self._audience.spectator_count

    def summary(self) -> MatchSummary:
        """Return the room's line in the list of live matches."""
        return summary_of(self._log.shown, self.spectator_count)

    @property
    def last_at_ms(self) -> int:
        """When the latest event of the match was stored."""
        return self._log.last_at_ms

    def match_for(self, identity: IdentityId) -> Match:
        """Return the match as a player or a spectator may see it."""
        return self._log.match_for(identity)

    def describe(self, command: Describe, reader: IdentityId) -> Described:
        """Return the position after a ply, as far as the reader may see it. Raises: Refusal."""
        line = self.match_for(reader).state.line
        if command.ply >= len(line):
            raise Refusal(Code.UNKNOWN_PLY, f"The match has reached ply {len(line) - 1}.")
        return Described(
            command.id, self._id, command.ply, line[command.ply].position_text, line[command.ply].written_positions
        )

    def watch(self, listener: Recipient, since: int, *, is_glance: bool = False) -> None:
        """Send a connection what it has missed since an event, and everything from now on."""
        self._audience.add(listener, since, is_glance=is_glance)
        if self._bot_moves.is_suspended and not is_glance:
            self._tasks.begin(self._automatic.resume_bots)

    def unwatch(self, listener: Recipient, has_closed: bool) -> None:
        """Send a connection nothing more; `has_closed` says that it ended on purpose."""
        self._audience.remove(listener, has_closed=has_closed)
        if self.is_owned:
            self._rematches.update()

    def command(
        self, command: MatchCommand, player: Player, round_trip_ms: int = 0, paired: Sequence[Origin] = ()
    ) -> asyncio.Future[Accepted]:
        """Carry out a player's command; what it returns is done once the effect is stored, or fails with a Refusal.

        `round_trip_ms` is the latest measurement of the player's connection; `paired` is the request that led the
        player to this match, if it is to be remembered.
        """
        return self._commands.carry_out(command, player, round_trip_ms, paired)

    async def resume(self, last_sign_of_life_ms: int) -> None:
        """Continue the match after a restart of the server: a running clock gets a grace period. Raises: Refusal."""
        await self._automatic.resume(last_sign_of_life_ms)
        self.start()

    def interrupt(self, since_ms: int) -> None:
        """Let the match stand still since a moment, because nothing can be stored."""
        self._automatic.interrupt(since_ms)

    def end_interruption(self) -> None:
        """Let the match go on when that can be stored; a running clock gets a grace period."""
        self._automatic.end_interruption()
        self._tasks.begin(self._automatic.store_due)

    async def call_off(self, explanation: str) -> None:
        """End a match of bots without result. Raises: Refusal."""
        await self._automatic.apply(
            lambda match, _: Decision([] if match.phase is Phase.OVER else [called_off(explanation)])
        )

    async def refresh(self) -> None:
        """Read what was stored past this room. Raises: Refusal."""
        await self._reader.refresh()

    def receive(self, event: EventsStored) -> None:
        """Add events that another node has stored."""
        self._reader.receive(event)

    def receive_watchers(self, event: WatchersChanged | WatchersListed) -> None:
        """Note who watches on another node."""
        if isinstance(event, WatchersListed):
            self._shared_audience.take_list(event)
        else:
            self._shared_audience.take_change(event)

    def list_watchers(self) -> None:
        """Tell the other nodes who watches here, and ask them who watches there."""
        self._shared_audience.tell_all(is_answer_wanted=True)

    def watchers_on(self, node: str) -> frozenset[IdentityId]:
        """Return who watches the match on another node."""
        return self._presence.identities_on(node)

    async def take_over(self, node: str, last_sign_of_life_ms: int, *, is_interrupted: bool) -> None:
        """Go on without a node that has stopped; who watched there must connect anew. Raises: Refusal.

        If that interrupted the match, a running clock stands still from the node's last sign of life and gets a grace
        period.
        """
        self._shared_audience.forget(node)
        if self.is_owned and is_interrupted:
            await self.resume(max(last_sign_of_life_ms, self.last_at_ms))
        else:
            self.start()

    async def rename(self) -> None:
        """Read the players' names again and send the changed ones to the audience. Raises: Refusal."""
        async with self._turn:
            self._publish(await self._writer.catch_up())
            before = self.match.players
            await self._writer.reload()
            frames = [
                frame_of(Renamed(self._id, seat, player))
                for seat, player in enumerate(self.match.players)
                if player is not None and player != before[seat]
            ]
        self._audience.send(frames, frames)
        self._changed()

    def start(self) -> None:
        """Start what happens without a command, if this node owns the match: the timer, a bot's or planned move, the
        rating, a rematch."""
        self._bot_moves.update()
        if not self.is_owned:
            self._rematches.close()
            self._set_timer()
            return
        self.planned_moves.update()
        self._set_timer()
        if self._bot_draw_answers.is_due:
            self._tasks.begin(self._bot_draw_answers.answer)
        if self.match.is_rating_due:
            self._tasks.begin(self._settle_rating)
        self._rematches.update()

    async def close(self) -> None:
        """Stop what happens without a command."""
        self._audience.close()
        self._shared_audience.close()
        self._rematches.close()
        self._timer.close()
        await asyncio.gather(self._bot_moves.close(), self._tasks.close())

    def free(self) -> None:
        """Free the memory of a closed room, which is not used again, without the garbage collector.

        Its parts call the room back, so they and the room would be kept until the next full collection.
        """
        vars(self).clear()

    def _tell_watcher(self, identity: IdentityId, is_here: bool, has_closed: bool) -> None:
        if self._is_shared:
            self._shared_audience.note(identity, is_here, has_closed)

    def _watchers_changed(self) -> None:
        self._audience.schedule_update()
        if self.is_owned:
            self._rematches.update()
            if self._bot_moves.is_suspended and self._presence.identities:
                self._tasks.begin(self._automatic.resume_bots)

    def _publish(self, added: AddedEvents | None) -> None:
        """Send new events to the audience, and start what they lead to."""
        if added is not None:
            self._audience.send_events(added)
            self.start()
            if added.kinds == {Moved}:
                self._services.bus.publish(PlyMade(self._id))
            else:
                self._changed()

    def _changed(self) -> None:
        self._services.bus.publish(MatchChanged(self._id))

    async def _on_due(self) -> None:
        await self._automatic.store_due()
        self._set_timer()

    def _set_timer(self) -> None:
        """Wait for the next automatic event, unless the match stands still."""
        if self._bot_moves.is_suspended:
            self._timer.clear()
        else:
            self._timer.set(self.match, self._lag.compensation, wakes=self.is_owned)

    async def _settle_rating(self) -> None:
        """Store what the match does to the ratings. Raises: Refusal, StorageError."""
        services = self._services
        async with self._turn:
            async for added in settle_rating(self._log, self._writer, services.ratings, services.now_ms):
                self._publish(added)
