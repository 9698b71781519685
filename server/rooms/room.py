"""A room: one match that is being played, with its audience, its bots, its timer and its rating.

Command -> `referee.decide` -> journal -> event log -> answer and audience. Nobody learns of an event that could still
be lost. What a command leads to is decided in `server.matches.referee`; sockets are in `server.http.session`.

Commands of one match are decided one after another; those of different matches share the journal's transactions. Bots'
plies and automatic events go the same way. A command is decided where it arrives, and the commit resumes it: no task
waits for either.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from time import perf_counter

from ..bots.requests import Bots
from ..bus.bus import Bus
from ..bus.events import MatchChanged, PlyMade
from ..identity.presence import Recipient
from ..journal.plans import PlanStore
from ..journal.store import Entry, Journal, Origin, Recorded
from ..matches.endings import called_off
from ..matches.idempotency import command_seat
from ..matches.lag_compensation import LagCompensation
from ..matches.match import Match, Phase
from ..matches.referee import Decision, decide, decide_after_interruption, decide_due, decide_resume
from ..matches.views import summary_of
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

CONFLICT_ATTEMPTS = 5
"""Maximum attempts to decide and store after a write conflict."""
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
        self._presence = MatchPresence(services.now_ms(), services.patience)
        self._writer = EventWriter(log, services.journal, services.notifier, self._presence.is_present)
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
        is_busy = self._turn.is_taken or self._bot_moves.is_busy or self._tasks.is_busy or self.match.is_rating_due
        return not (self._audience or is_waiting_for_time or is_busy)

    def is_watched_by(self, identity: IdentityId) -> bool:
        """Return whether an identity watches the match."""
        return self._presence.is_present(identity)

    def summary(self) -> MatchSummary:
        """Return the room's line in the list of live matches."""
        return summary_of(self._log.shown, self._audience.spectator_count)

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
        """Start what happens without a command: the timer, a bot's or planned move, the rating, a rematch."""
        self._bot_moves.update()
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
        if self._writer.is_uncertain or self._timer.is_due(self._services.now_ms()):
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
        """Decide a command, again after each write conflict; return the seq of its event. Raises: Refusal."""
        for _ in range(CONFLICT_ATTEMPTS):
            seq = self._log.accepted.find(self.match, asked.command, asked.player)
            if seq is not None:
                return seq
            seq = self.match.seq + 1
            decided = self._decide(asked)
            added = await self._writer.append(decided.entries, decided.decision.played, paired=asked.paired)
            if added is not None:
                self._adopt(decided, added)
                return seq
            self._publish(await self._writer.read_new())
        raise Refusal(Code.UNAVAILABLE, "Too much happens in this match at once; nothing was done, please try again.")

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
            self._timer.set(self.match, self._lag)

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
