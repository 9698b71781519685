"""The way of a player's command through a room: its turn, the decision, the journal, the answer.

Commands of one match are decided one after another; those of different matches share the journal's transactions. A
command is decided where it arrives, and the commit resumes it: no task waits for either. Only one that needs something
else to be read or stored first goes on in a task. What a command leads to is decided in `server.matches.referee`.
"""

import asyncio
from collections.abc import Callable, Sequence
from time import perf_counter

from millrace.protocol import Accepted, Claim, Code, MatchCommand, Player
from millrace.protocol.refusal import Refusal

from ..journal.entries import Entry
from ..matches.idempotency import command_seat
from ..matches.referee import decide
from ..matches.seat_assignment import SeatRatings
from ..runtime.system_clock import NowMs
from ..runtime.turns import Turn
from ..storage.batches import Insertion
from .automatic_decisions import AutomaticDecisions, interrupted
from .background_tasks import BackgroundTasks
from .event_log import AddedEvents, EventLog
from .event_reader import EventReader
from .event_writer import EventWriter
from .match_lag import MatchLag
from .match_presence import MatchPresence
from .match_timer import MatchTimer
from .pending_command import DecidedCommand, PendingCommand

CONFLICT_ATTEMPTS = 5
"""Maximum attempts to decide and store after a write conflict."""
OWNER_SECONDS = 5.0
"""How long a command waits for the owner of the match to store an automatic event that is due."""
LOOK_AGAIN_SECONDS = 0.2
"""Interval at which such a command is looked at again."""


class PlayerCommands:
    """Carries out the commands of one match's players."""

    def __init__(
        self,
        log: EventLog,
        turn: Turn,
        writer: EventWriter,
        reader: EventReader,
        automatic: AutomaticDecisions,
        timer: MatchTimer,
        lag: MatchLag,
        presence: MatchPresence,
        tasks: BackgroundTasks,
        now_ms: NowMs,
        seat_ratings: SeatRatings,
        publish: Callable[[AddedEvents | None], None],
        is_owned: Callable[[], bool],
        is_shared: bool,
    ) -> None:
        self._match_id = log.match.id
        self._log = log
        self._turn = turn
        self._writer = writer
        self._reader = reader
        self._automatic = automatic
        self._timer = timer
        self._lag = lag
        self._presence = presence
        self._tasks = tasks
        self._now_ms = now_ms
        self._seat_ratings = seat_ratings
        self._publish = publish
        self._is_owned = is_owned
        """Returns whether this node stores the automatic events of the match."""
        self._is_shared = is_shared
        """Whether other nodes may store events of the match."""
        self._loop = asyncio.get_running_loop()

    def carry_out(
        self, command: MatchCommand, player: Player, round_trip_ms: int, insertions: Sequence[Insertion]
    ) -> asyncio.Future[Accepted]:
        """Carry out a command; what it returns is done once the effect is stored, or fails with a Refusal."""
        asked = PendingCommand(command, player, round_trip_ms, self._loop.create_future(), perf_counter(), insertions)
        if self._automatic.is_interrupted:
            asked.fail(interrupted())
            return asked.answer
        self._turn.take(lambda: self._begin(asked))
        return asked.answer

    def _begin(self, asked: PendingCommand) -> None:
        """Begin a command in its turn. Most are decided at once, and their turn ends with the commit."""
        is_due = self._timer.is_due(self._now_ms())
        if is_due and not self._is_owned() and perf_counter() - asked.began_s < OWNER_SECONDS:
            # The owner knows better whether a flag has fallen; if it has stopped, another node owns the match soon.
            self._turn.release()
            self._loop.call_later(LOOK_AGAIN_SECONDS, self._turn.take, lambda: self._begin(asked))
            return
        if self._writer.is_uncertain or is_due:
            self._tasks.begin(lambda: self._carry_out_later(asked))
            return
        try:
            match = self._log.match
            self._lag.measure(asked, match)
            seq = self._log.accepted.find(match, asked.command, asked.player)
            if seq is not None:
                self._answer(asked, seq)
                return
            decided = self._decide(asked)
            stored = self._writer.begin(decided.entries, insertions=asked.insertions)
        except Exception as error:
            if self._is_shared and isinstance(error, Refusal):
                self._tasks.begin(lambda: self._carry_out_later(asked))
            else:
                self._answer(asked, error)
        else:
            stored.add_done_callback(lambda stored: self._conclude(asked, decided, stored))

    def _conclude(self, asked: PendingCommand, decided: DecidedCommand, stored: asyncio.Future[bool]) -> None:
        """Answer a command whose events have been stored, and send them to the audience."""
        seq = self._log.match.seq + 1
        try:
            added = self._writer.finish(stored, decided.entries, decided.decision.played)
        except Exception as error:
            self._answer(asked, error)
            return
        if added is None:
            self._tasks.begin(lambda: self._carry_out_later(asked))
            return
        # Answered before the audience is sent anything, so that the player gets both in one write.
        asked.accept(self._match_id, seq)
        try:
            self._adopt(decided, added)
        finally:
            self._turn.release()

    async def _carry_out_later(self, asked: PendingCommand) -> None:
        """Carry out a command that needs the journal to be read first, or something else to be stored before it."""
        answer: int | Exception = Refusal(Code.UNAVAILABLE, "The server is restarting; please try again.")
        try:
            self._lag.measure(asked, self._log.match)
            await self._automatic.bring_up_to_date()
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
            seq = self._log.accepted.find(self._log.match, asked.command, asked.player)
            if seq is not None:
                return seq
            seq = self._log.match.seq + 1
            try:
                decided = self._decide(asked)
            except Refusal:
                if not self._is_shared or not await self._reader.read_new():
                    raise
                continue
            added = await self._writer.append(decided.entries, decided.decision.played, insertions=asked.insertions)
            if added is not None:
                self._adopt(decided, added)
                return seq
            await self._reader.read_new()
        raise Refusal(Code.UNAVAILABLE, "This match is busy; nothing was done. Please try again.")

    def _decide(self, asked: PendingCommand) -> DecidedCommand:
        """Decide a command with all that the room knows. Raises: Refusal."""
        command, player, match, now_ms = asked.command, asked.player, self._log.match, self._now_ms()
        decision = decide(
            match,
            command,
            player,
            now_ms,
            seat_ratings=self._seat_ratings,
            lag=self._lag.compensation,
            claimable_at_ms=self._presence.claimable_at_ms(match) if isinstance(command, Claim) else (),
        )
        first, *others = decision.events
        seat = command_seat(match, command, player, decision.events)
        entries = [Entry(first, now_ms, seat, command.id), *[Entry(event, now_ms) for event in others]]
        return DecidedCommand(decision, entries)

    def _adopt(self, decided: DecidedCommand, added: AddedEvents) -> None:
        if decided.decision.lag is not None:
            self._lag.compensation = decided.decision.lag
        self._publish(added)

    def _answer(self, asked: PendingCommand, answer: int | Exception) -> None:
        """Answer a command by the seq of its event or by what went wrong, and end its turn."""
        if isinstance(answer, int):
            asked.accept(self._match_id, answer)
        else:
            asked.fail(answer)
        self._turn.release()
