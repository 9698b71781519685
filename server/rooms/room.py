"""A room: one match that is being played, with its audience, its bots, its timer and its rating.

Command -> `referee.decide` -> journal -> event log -> answer and audience. Nobody learns of an event that could still
be lost. What a command leads to is decided in `server.matches.referee`; sockets are in `server.http.session`.

Commands of one match are decided one after another; those of different matches share the journal's transactions. Bots'
plies and automatic events go the same way. A command is decided where it arrives, and the commit resumes it: no task
waits for either.

A match may have a room on several nodes. Each tells the others what it has stored; what happens without a command,
happens on the node that owns the match.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from ..bots.requests import Bots
from ..bus.bus import Bus
from ..bus.events import MatchChanged, PlyMade
from ..bus.match_events import EventsStored, StoredEvent, WatchersChanged, WatchersListed
from ..identity.presence import Recipient
from ..journal.plans import PlanStore
from ..journal.store import Entry, Journal, Origin, Recorded
from ..matches.endings import called_off
from ..matches.idempotency import command_seat
from ..matches.lag_compensation import LagCompensation
from ..matches.match import Match, Phase
from ..matches.referee import Decision, decide, decide_after_interruption, decide_due, decide_resume
from ..matches.views import summary_of
from ..nodes.membership import Membership
from ..protocol import (
    Accepted,
    Claim,
    Code,
    Describe,
    Described,
    IdentityId,
    MatchCommand,
    MatchId,
    MatchSummary,
    Moved,
    Play,
    Player,
    Renamed,
)
from ..protocol.frames import frame_of
from ..protocol.refusal import Refusal
from ..ratings.ratings import Ratings
from ..system_clock import NowMs
from ..turns import Turn
from .audience import Audience
from .background_tasks import BackgroundTasks
from .bot_draw_answers import BotDrawAnswers
from .bot_moves import BotMoves
from .event_log import AddedEvents, EventLog
from .event_writer import EventWriter
from .match_notifier import MatchNotifier
from .match_presence import MatchPresence
from .match_timer import MatchTimer
from .pending_command import DecidedCommand, PendingCommand
from .planned_moves import PlannedMoves
from .rating_settlement import settle_rating
from .rematches import OpenRematch, Rematches
from .shared_audience import SharedAudience

CONFLICT_ATTEMPTS = 5
"""Maximum attempts to decide and store after a write conflict."""
OWNER_SECONDS = 5.0
"""How long a command waits for the owner of the match to store an automatic event that is due."""
LOOK_AGAIN_SECONDS = 0.2
"""Interval at which such a command is looked at again."""
STANDSTILL_MS = 10_000
"""Time without a spectator after which it is stored that the clocks of bots stood still; a page reload is shorter."""


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
        self._loop = asyncio.get_running_loop()
        self._turn = Turn()
        """Whose holder alone changes the match."""
        self._log = log = EventLog(match_id, recorded)
        self._presence = MatchPresence(services.now_ms(), services.patience, self._tell_watcher)
        self._shared_audience = SharedAudience(
            match_id, self._presence, services.bus, services.now_ms, self._watchers_changed
        )
        self._is_shared = not services.bus.is_alone
        """Whether other nodes may have a room of this match."""
        self._writer = EventWriter(log, services.journal, services.notifier, self._presence.is_present, self._tell)
        self._lag = LagCompensation.of(log.match.created.clock, len(log.match.players))
        self._tasks = BackgroundTasks(match_id)
        self._timer = MatchTimer(self._tasks, services.now_ms, self._on_due)
        self._audience = Audience(log, self._presence, services.now_ms, self._changed)
        self._bot_moves = BotMoves(
            services.bots,
            services.now_ms,
            log,
            self._apply,
            self._presence,
            self._timer.clear,
            lambda: self.is_owned,
            services.bot_pace_seconds,
        )
        self._bot_draw_answers = BotDrawAnswers(services.bots, log, self._apply)
        self.planned_moves = PlannedMoves(services.plans, log, self._tasks, self._apply)
        self._is_interrupted = False
        """Whether nothing can be stored at present."""
        self._interrupted_ms: int | None = None
        """Since when the clocks have stood still by an interruption that the match does not know of yet."""
        self._rematches = Rematches(log, self._presence, self._tasks, self._apply, services.open_rematch)

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
            raise Refusal(Code.UNKNOWN_PLY, f"The match has come to ply {len(line) - 1}.")
        return Described(
            command.id, self._id, command.ply, line[command.ply].position_text, line[command.ply].written_positions
        )

    def watch(self, listener: Recipient, since: int, *, is_glance: bool = False) -> None:
        """Send a connection what it has missed since an event, and everything from now on."""
        self._audience.add(listener, since, is_glance=is_glance)
        if self._bot_moves.is_suspended and not is_glance:
            self._tasks.begin(self._go_on)

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
        asked = PendingCommand(command, player, round_trip_ms, self._loop.create_future(), perf_counter(), paired)
        if self._is_interrupted:
            asked.fail(_interrupted())
            return asked.answer
        self._turn.take(lambda: self._carry_out(asked))
        return asked.answer

    async def resume(self, last_sign_of_life_ms: int) -> None:
        """Continue the match after a restart of the server: a running clock gets a grace period. Raises: Refusal."""
        async with self._turn:
            now_ms = self._services.now_ms()
            await self._store(Decision(decide_resume(self.match, last_sign_of_life_ms, now_ms)), now_ms)
        self.start()

    def interrupt(self, since_ms: int) -> None:
        """Let the match stand still since a moment, because nothing can be stored."""
        self._is_interrupted = True
        if self._interrupted_ms is None:
            self._interrupted_ms = since_ms
        self._timer.hold()

    def end_interruption(self) -> None:
        """Let the match go on when that can be stored; a running clock gets a grace period."""
        self._is_interrupted = False
        self._tasks.begin(self._after_interruption)

    async def call_off(self, explanation: str) -> None:
        """End a match of bots without result. Raises: Refusal."""
        await self._apply(lambda match, _: Decision([] if match.phase is Phase.OVER else [called_off(explanation)]))

    async def refresh(self) -> None:
        """Read what was stored past this room. Raises: Refusal."""
        async with self._turn:
            self._publish(await self._writer.read_new())

    def receive(self, event: EventsStored) -> None:
        """Add events that another node has stored."""
        if event.seq + len(event.events) - 1 > self.match.seq:
            self._turn.take(lambda: self._add_received(event))

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

    def _carry_out(self, asked: PendingCommand) -> None:
        """Carry out a command in its turn. Most are decided at once, and their turn ends with the commit."""
        is_due = self._timer.is_due(self._services.now_ms())
        if is_due and not self.is_owned and perf_counter() - asked.began_s < OWNER_SECONDS:
            # The owner knows better whether a flag has fallen; if it has stopped, another node owns the match soon.
            self._turn.release()
            self._loop.call_later(LOOK_AGAIN_SECONDS, self._turn.take, lambda: self._carry_out(asked))
            return
        if self._writer.is_uncertain or is_due:
            self._tasks.begin(lambda: self._carry_out_later(asked))
            return
        try:
            self._measure_lag(asked)
            seq = self._log.accepted.find(self.match, asked.command, asked.player)
            if seq is not None:
                self._answer(asked, seq)
                return
            decided = self._decide(asked)
            stored = self._writer.begin(decided.entries, paired=asked.paired)
        except Exception as error:
            if self._is_shared and isinstance(error, Refusal):
                self._tasks.begin(lambda: self._carry_out_later(asked))
            else:
                self._answer(asked, error)
        else:
            stored.add_done_callback(lambda stored: self._conclude(asked, decided, stored))

    def _conclude(self, asked: PendingCommand, decided: DecidedCommand, stored: asyncio.Future[bool]) -> None:
        """Answer a command whose events have been stored, and send them to the audience."""
        seq = self.match.seq + 1
        try:
            added = self._writer.finish(stored, decided.entries, decided.decision.played)
        except Exception as error:
            self._answer(asked, error)
            return
        if added is None:
            self._tasks.begin(lambda: self._carry_out_later(asked))
            return
        # Answered before the audience is sent anything, so that the player gets both in one write.
        asked.accept(self._id, seq)
        try:
            self._adopt(decided, added)
        finally:
            self._turn.release()

    async def _carry_out_later(self, asked: PendingCommand) -> None:
        """Carry out a command that needs the journal to be read first, or something else to be stored before it."""
        answer: int | Exception = Refusal(Code.UNAVAILABLE, "The server is restarting; please try again.")
        try:
            self._measure_lag(asked)
            await self._bring_up_to_date()
            answer = await self._decide_and_store(asked)
        except Exception as error:
            answer = error
        finally:
            self._answer(asked, answer)

    async def _decide_and_store(self, asked: PendingCommand) -> int:
        """Decide a command, again after each write conflict; return the seq of its event. Raises: Refusal.

        A refusal counts only if no other node has stored what this one has not heard of yet.
        """
        for _ in range(CONFLICT_ATTEMPTS):
            seq = self._log.accepted.find(self.match, asked.command, asked.player)
            if seq is not None:
                return seq
            seq = self.match.seq + 1
            try:
                decided = self._decide(asked)
            except Refusal:
                if not self._is_shared or not await self._read_new():
                    raise
                continue
            added = await self._writer.append(decided.entries, decided.decision.played, paired=asked.paired)
            if added is not None:
                self._adopt(decided, added)
                return seq
            await self._read_new()
        raise Refusal(Code.UNAVAILABLE, "Too much happens in this match at once; nothing was done, please try again.")

    async def _read_new(self) -> bool:
        """Add what others have stored; return whether there was anything. Raises: Refusal."""
        seq = self.match.seq
        self._publish(await self._writer.read_new())
        return self.match.seq > seq

    def _measure_lag(self, asked: PendingCommand) -> None:
        command = asked.command
        if self._lag.quotas and isinstance(command, Play) and command.seat in self.match.seats_of(asked.player.id):
            self._lag = self._lag.measured(command.seat, asked.round_trip_ms)

    def _decide(self, asked: PendingCommand) -> DecidedCommand:
        """Decide a command with all that the room knows. Raises: Refusal."""
        command, player, now_ms = asked.command, asked.player, self._services.now_ms()
        decision = decide(
            self.match,
            command,
            player,
            now_ms,
            seat_ratings=self._services.ratings.seat_rating,
            lag=self._lag,
            claimable_at_ms=self._presence.claimable_at_ms(self.match) if isinstance(command, Claim) else (),
        )
        first, *others = decision.events
        seat = command_seat(self.match, command, player, decision.events)
        entries = [Entry(first, now_ms, seat, command.id), *[Entry(event, now_ms) for event in others]]
        return DecidedCommand(decision, entries)

    def _adopt(self, decided: DecidedCommand, added: AddedEvents) -> None:
        if decided.decision.lag is not None:
            self._lag = decided.decision.lag
        self._publish(added)

    def _answer(self, asked: PendingCommand, answer: int | Exception) -> None:
        """Answer a command by the seq of its event or by what went wrong, and end its turn."""
        if isinstance(answer, int):
            asked.accept(self._id, answer)
        else:
            asked.fail(answer)
        self._turn.release()

    async def _apply(self, decide: Callable[[Match, int], Decision]) -> None:
        """Decide something about the match as it stands, store it and send it to the audience. Raises: Refusal."""
        async with self._turn:
            await self._bring_up_to_date()
            now_ms = self._services.now_ms()
            await self._store(decide(self.match, now_ms), now_ms)

    async def _bring_up_to_date(self) -> None:
        """Read what a failure has left open, and store the automatic events that are due. Raises: Refusal."""
        if self._is_interrupted:
            raise _interrupted()
        self._publish(await self._writer.catch_up())
        now_ms = self._services.now_ms()
        if self._interrupted_ms is not None:
            # The clocks of bots whom nobody watches stand still for longer.
            if not self._bot_moves.is_suspended:
                await self._store(Decision(decide_after_interruption(self.match, self._interrupted_ms, now_ms)), now_ms)
            if self._is_interrupted:
                # Again, while this was being stored.
                self._interrupted_ms = now_ms
            else:
                self._interrupted_ms = None
                self._timer.release()
                self.start()
        if self._timer.is_due(now_ms):
            allowance_ms = self._lag.compensation_ms(self.match.to_move)
            await self._store(Decision(decide_due(self.match, now_ms, allowance_ms)), now_ms)

    async def _store(self, decision: Decision, now_ms: int) -> None:
        """Store a decision's events; after a conflict, read what was stored instead. Raises: Refusal."""
        if decision.events:
            added = await self._writer.append([Entry(event, now_ms) for event in decision.events], decision.played)
            self._publish(added if added is not None else await self._writer.read_new())

    def _add_received(self, event: EventsStored) -> None:
        """Add events of another node in their turn; what is missing before them is read from the journal."""
        self._lag = self._lag.with_figures(event.lag) if event.lag else self._lag
        entries = (Entry(each.event, each.at_ms, each.seat, each.command_id) for each in event.events)
        recorded = [Recorded(seq, entry) for seq, entry in enumerate(entries, event.seq)]
        is_missing_some = event.seq > self.match.seq + 1
        try:
            self._publish(self._writer.add(recorded))
        finally:
            self._turn.release()
        if is_missing_some:
            self._tasks.begin(self.refresh)

    def _tell(self, recorded: Sequence[Recorded]) -> None:
        """Tell the other nodes what this one has stored."""
        if self._is_shared and recorded:
            events = tuple([StoredEvent(*each.entry) for each in recorded])
            self._services.bus.publish(EventsStored(self._id, recorded[0].seq, events, self._lag.figures))

    def _tell_watcher(self, identity: IdentityId, is_here: bool, has_closed: bool) -> None:
        if self._is_shared:
            self._shared_audience.note(identity, is_here, has_closed)

    def _watchers_changed(self) -> None:
        self._audience.schedule_update()
        if self.is_owned:
            self._rematches.update()
            if self._bot_moves.is_suspended and self._presence.identities:
                self._tasks.begin(self._go_on)

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
        async with self._turn:
            await self._bring_up_to_date()
        self._set_timer()

    def _set_timer(self) -> None:
        """Wait for the next automatic event, unless the match stands still."""
        if self._bot_moves.is_suspended:
            self._timer.clear()
        else:
            self._timer.set(self.match, self._lag, wakes=self.is_owned)

    async def _go_on(self) -> None:
        """Go on with a match of bots that stood still, clocks too, while nobody watched. Raises: Refusal."""
        async with self._turn:
            now_ms, since_ms = self._services.now_ms(), self.match.turn_at_ms
            if self._bot_moves.is_suspended and now_ms - since_ms >= STANDSTILL_MS:
                await self._store(Decision(decide_resume(self.match, since_ms, now_ms)), now_ms)
        self.start()

    async def _after_interruption(self) -> None:
        """Go on when that can be stored. Raises: Refusal."""
        async with self._turn:
            await self._bring_up_to_date()

    async def _settle_rating(self) -> None:
        """Store what the match does to the ratings. Raises: Refusal, StorageError."""
        services = self._services
        async with self._turn:
            async for added in settle_rating(self._log, self._writer, services.ratings, services.now_ms):
                self._publish(added)


def _interrupted() -> Refusal:
    return Refusal(
        Code.UNAVAILABLE, "The server cannot store moves at present. The clocks stand still; please try again later."
    )
