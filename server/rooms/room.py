"""A room: a match and its audience, and the order in which things happen to it.

Command -> `referee.decide` -> journal -> committed -> folded, answered, told. Nobody hears of an event that could still
be lost. What leads to what is in `server.matches.referee`, what a match is in `server.matches.match`; sockets are in
`server.http.session`.

Commands of one match are decided one after another; those of different matches share the journal's transactions. What
the time brings and the bots' plies go the same way.
"""

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from millrace.engine.state import State

from ..bots.requests import Bots
from ..identity.presence import Listener
from ..journal.ratings import RatingUpdates
from ..journal.store import Entry, Journal, Recorded
from ..journal.unavailable import refusing_failures
from ..matches.automatic_events import called_off
from ..matches.finish import finish_after
from ..matches.idempotency import remembering_seat
from ..matches.lag import Compensation
from ..matches.match import Match, Phase
from ..matches.offers import bot_to_answer
from ..matches.referee import (
    decide,
    decide_due,
    decide_play,
    decide_resume,
)
from ..matches.views import encode_turn, summary_of
from ..protocol import (
    Accepted,
    Claim,
    Code,
    Describe,
    Described,
    Event,
    IdentityId,
    MatchCommand,
    MatchId,
    MatchSummary,
    Moved,
    Paused,
    PauseEnded,
    Play,
    Player,
    Rated,
    Renamed,
    Seated,
    Started,
    TakenBack,
    Watching,
    encode,
)
from ..protocol.frames import WireFrame, frame_of, wire_frame
from ..protocol.refusal import Refusal
from ..ratings.settlement import RatingKeeper
from ..system_clock import NowMs
from .audience import Gathering
from .background_tasks import Errands
from .bot_seats import BotSeats
from .event_log import Transcript
from .presence import Attendance
from .rematches import OpenRematch, Rematches

NEW_TURNS = (Started, Moved, TakenBack, PauseEnded)
"""Events after which whoever is to move is told the legal moves."""

ATTENDANCE_CHANGES = (Seated, Paused, PauseEnded)
"""Events after which the audience is told anew who is there, and from when absence counts."""

CONFLICT_ATTEMPTS = 5
"""So many times a command is decided again after another writer was quicker."""


@dataclass(frozen=True)
class Neighbours:
    """What a room needs of the rest of the server."""

    journal: Journal
    bots: Bots
    now_ms: NowMs
    open_rematch: OpenRematch
    ratings: RatingKeeper
    changed: Callable[[MatchId], None]
    """Is told when the room's line in the list of live matches changes."""
    patience: float
    """So many times as long as usual a player who is away is waited for."""


class Room:
    """A match being served. Made by `server.rooms.rooms`, at most once for a match in a process."""

    def __init__(self, match_id: MatchId, recorded: Sequence[Recorded], neighbours: Neighbours) -> None:
        self._id = match_id
        self._neighbours = neighbours
        self._due_at_ms: int | None = None
        self._lock = asyncio.Lock()
        self._must_reload = False
        self._due_timer: asyncio.TimerHandle | None = None
        self._errands = Errands(match_id)
        self._transcript = Transcript(match_id, recorded)
        self._compensation = Compensation(self.match.created.clock)
        self._gathering = Gathering(
            lambda: self.match,
            Attendance(neighbours.now_ms(), neighbours.patience),
            neighbours.now_ms,
            lambda: neighbours.changed(match_id),
        )
        self._bot_seats = BotSeats(neighbours.bots, neighbours.now_ms, lambda: self.match, self._happen)
        self._rematches = Rematches(
            lambda: self.match, self._gathering.attendance, self._errands, self._happen, neighbours.open_rematch
        )

    @property
    def match(self) -> Match:
        """The match as it stands."""
        return self._transcript.match

    @property
    def is_idle(self) -> bool:
        """Whether nothing would be missed if the room were let go: it can be made again from the journal."""
        is_playing_by_clock = self.match.phase is Phase.PLAYING and self.match.clock is not None
        is_waiting_for_time = is_playing_by_clock or self.match.due_at_ms is not None
        is_busy = self._lock.locked() or self._bot_seats.is_busy or self._errands.is_busy or self.match.is_rating_due
        return not (self._gathering or is_waiting_for_time or is_busy)

    def is_watched_by(self, identity: IdentityId) -> bool:
        """Return whether somebody watches."""
        return self._gathering.attendance.is_there(identity)

    def summary(self) -> MatchSummary:
        """Return the room's line in the list of live matches."""
        return summary_of(self._transcript.shown, self._gathering.attendance.spectators(self.match))

    def match_for(self, identity: IdentityId) -> Match:
        """Return the match as somebody may know it: as it stands, or as it is shown to those who hold no seat."""
        return self.match if identity in self.match.people else self._transcript.shown

    async def command(self, command: MatchCommand, player: Player, round_trip_ms: int = 0) -> Accepted:
        """Follow somebody's command and return once its effect is stored; `round_trip_ms` is what was measured of the
        player's connection. Raises: Refusal."""
        async with self._lock:
            if isinstance(command, Play):
                self._compensation.measure(command.seat, round_trip_ms)
            await self._catch_up()
            await self._settle_due()
            for _ in range(CONFLICT_ATTEMPTS):
                seq = self._transcript.memory.find(self.match, command, player)
                if seq is not None:
                    return Accepted(command.id, self._id, seq)
                now_ms = self._neighbours.now_ms()
                events, played = self._decide(command, player, now_ms)
                events = self._with_ratings(events)
                seat = remembering_seat(self.match, command, player, events)
                entries = [Entry(events[0], now_ms, seat, command.id), *(Entry(event, now_ms) for event in events[1:])]
                seq = self.match.seq + 1
                if await self._append(entries, played=played):
                    if isinstance(command, Play):
                        self._compensation.spend(command.seat)
                    return Accepted(command.id, self._id, seq)
                await self._reload()
        raise Refusal(Code.UNAVAILABLE, "Too much happens in this match at once; nothing was done, try again.")

    def _decide(self, command: MatchCommand, player: Player, now_ms: int) -> tuple[list[Event], State | None]:
        """Return the events of a command, and the state after it if it is a ply. Raises: Refusal."""
        if isinstance(command, Play):
            return decide_play(self.match, command, player, now_ms, self._compensation.of(command.seat))
        claimable_at_ms = self._gathering.attendance.claimable_at_ms(self.match) if isinstance(command, Claim) else ()
        return decide(self.match, command, player, now_ms, 0, claimable_at_ms), None

    def _with_ratings(self, events: list[Event]) -> list[Event]:
        return self._neighbours.ratings.with_ratings(self.match.created, events)

    def watch(self, listener: Listener, since: int, *, is_glance: bool = False) -> None:
        """Tell a listener what it has missed since an event, and everything from now on."""
        self._gathering.add(listener, is_glance=is_glance)
        seats = self.match.seats_of(listener.identity)
        until = self.match_for(listener.identity).seq
        board = self._transcript.board_after(min(since, until))
        watching = Watching(self._id, until, board, seats, self._neighbours.now_ms())
        messages = [encode(watching), *self._transcript.encoded(since, until)]
        if self._is_mover(listener):
            messages.append(encode_turn(self.match))
        messages.append(encode(self._gathering.audience_for(is_seated=bool(seats))))
        listener.deliver([wire_frame(message) for message in messages])
        self._gathering.audience_changed()

    def describe(self, command: Describe, reader: IdentityId) -> Described:
        """Return the position after so many plies, as far as somebody may know it. Raises: Refusal."""
        line = self.match_for(reader).state.line
        if command.ply >= len(line):
            raise Refusal(Code.UNKNOWN_PLY, f"The match has come to ply {len(line) - 1}.")
        return Described(command.id, self._id, command.ply, line[command.ply].position_text)

    def unwatch(self, listener: Listener, has_closed: bool) -> None:
        """Tell a listener nothing more, who has closed the page or left it, or whose connection broke."""
        self._gathering.remove(listener, has_closed=has_closed)
        self._gathering.audience_changed()
        self._rematches.see_to()

    async def resume(self, last_sign_of_life_ms: int) -> None:
        """Take the match up after the server was away: the clock gets its grace, and a bot to move is asked."""
        async with self._lock:
            now_ms = self._neighbours.now_ms()
            events = decide_resume(self.match, last_sign_of_life_ms, now_ms)
            await self._append([Entry(event, now_ms) for event in events])
        self.set_going()

    async def call_off(self, words: str) -> None:
        """End a match of bots without result. Raises: Refusal."""
        await self._happen(lambda match, _: [] if match.phase is Phase.OVER else [called_off(words)])

    async def refresh(self) -> None:
        """Take over from the journal what was stored past this room, and tell it. Raises: Refusal."""
        async with self._lock:
            await self._reload()

    async def rename(self) -> None:
        """Take over from the journal who sits where, and tell everyone: somebody goes by another name.

        Raises: Refusal.
        """
        async with self._lock:
            await self._catch_up()
            before = self.match.players
            self._transcript = Transcript(self._id, await self._load())
            changed = [
                Renamed(self._id, seat, player)
                for seat, player in enumerate(self.match.players)
                if player is not None and player != before[seat]
            ]
        frames = [frame_of(renamed) for renamed in changed]
        self._gathering.tell(frames, frames)
        self._neighbours.changed(self._id)

    def set_going(self) -> None:
        """See to what must happen by itself: what the time brings, a bot's ply, an agreed rematch."""
        self._set_due_timer()
        self._bot_seats.ask()
        if bot_to_answer(self.match) is not None:
            self._errands.begin(self._bot_seats.answer)
        if self.match.is_rating_due:
            self._errands.begin(self._rate)
        self._rematches.see_to()

    async def close(self) -> None:
        """Stop everything that would happen by itself."""
        self._gathering.close()
        self._rematches.close()
        if self._due_timer is not None:
            self._due_timer.cancel()
        await asyncio.gather(self._bot_seats.close(), self._errands.close())

    # Storing, folding, telling

    async def _append(
        self, entries: Sequence[Entry], ratings: RatingUpdates | None = None, played: State | None = None
    ) -> bool:
        """Store entries and, once they are durable, fold them and tell of them; False after a conflict.

        Raises: Refusal if the journal fails, after which the match is loaded anew before anything else is decided,
        since such a failure leaves open what was stored.
        """
        if not entries:
            return True
        seq = self.match.seq
        self._must_reload = True
        with refusing_failures("journal append failed", match=self._id):
            finish = finish_after(self.match, entries)
            journal = self._neighbours.journal
            is_stored = await journal.append(self._id, seq, entries, ratings=ratings, finish=finish)
        if is_stored:
            self._must_reload = False
            self._tell([Recorded(seq + 1 + index, entry) for index, entry in enumerate(entries)], played)
        return is_stored

    def _tell(self, recorded: Sequence[Recorded], played: State | None = None) -> None:
        """Fold stored events and tell everyone who watches."""
        before = self._transcript.shown.seq
        frames = [wire_frame(self._transcript.add(event, played)) for event in recorded]
        kinds = {type(event.entry.event) for event in recorded}
        mover = None if kinds.isdisjoint(NEW_TURNS) else self.match.mover
        for event in recorded:
            if isinstance(event.entry.event, Seated):
                self._gathering.seat(event.entry.event.player.id)
        self._gathering.tell(frames, self._frames_for_crowd(frames, before))
        if mover is not None and mover.level is None:
            self._gathering.tell_one(mover.id, lambda: wire_frame(encode_turn(self.match)))
        # Absence counts from the moment at which every seat has made a ply.
        is_under_way_now = self.match.state.ply == len(self.match.players)
        if is_under_way_now or not kinds.isdisjoint(ATTENDANCE_CHANGES):
            self._gathering.audience_changed()
        self.set_going()
        self._neighbours.changed(self._id)

    def _frames_for_crowd(self, frames: list[WireFrame], shown_before: int) -> list[WireFrame]:
        """Return what those who hold no seat are told when something has happened: that, or what had been kept back."""
        shown = self._transcript.shown.seq
        if shown == self.match.seq and shown - shown_before == len(frames):
            return frames
        return [wire_frame(message) for message in self._transcript.told(shown_before, shown)]

    def _is_mover(self, listener: Listener) -> bool:
        """Return whether it is this person's ply that is waited for."""
        mover = self.match.mover
        return mover is not None and mover.level is None and mover.id == listener.identity

    async def _happen(self, decide: Callable[[Match, int], list[Event]]) -> None:
        """Decide something of the match as it stands now, and store and tell it. Raises: Refusal."""
        async with self._lock:
            await self._catch_up()
            await self._settle_due()
            now_ms = self._neighbours.now_ms()
            if not await self._append([Entry(event, now_ms) for event in decide(self.match, now_ms)]):
                await self._reload()

    async def _catch_up(self) -> None:
        if self._must_reload:
            await self._reload()

    async def _reload(self) -> None:
        """Fold and tell what others, or an append whose fate was unknown, have stored. Raises: Refusal."""
        recorded = await self._load()
        self._must_reload = False
        if len(recorded) > self.match.seq:
            self._tell(recorded[self.match.seq :])

    async def _load(self) -> tuple[Recorded, ...]:
        with refusing_failures("journal load failed", "read this match", match=self._id):
            return await self._neighbours.journal.load(self._id)

    # The time

    def _set_due_timer(self) -> None:
        if self._due_timer is not None:
            self._due_timer.cancel()
            self._due_timer = None
        self._due_at_ms = self.match.due_at_ms
        if self._due_at_ms is not None:
            delay_ms = max(0, self._due_at_ms + self._allowance_ms - self._neighbours.now_ms())
            self._due_timer = self._errands.begin_later(delay_ms / 1000, self._is_due)

    async def _is_due(self) -> None:
        async with self._lock:
            await self._catch_up()
            await self._settle_due()
        self._set_due_timer()

    async def _settle_due(self) -> None:
        now_ms = self._neighbours.now_ms()
        if self._due_at_ms is not None and now_ms >= self._due_at_ms:
            events = decide_due(self.match, now_ms, self._allowance_ms)
            await self._append([Entry(event, now_ms) for event in events])

    @property
    def _allowance_ms(self) -> int:
        """How late the ply of the seat to move may come, since its way is made good."""
        return self._compensation.of(self.match.to_move)

    # Ratings

    async def _rate(self) -> None:
        """Settle what the match has done to the ratings. Raises: Refusal, StorageError."""
        async with self._lock:
            await self._catch_up()
            for _ in range(CONFLICT_ATTEMPTS):
                if not self.match.is_rating_due:
                    return
                if await self._neighbours.ratings.settle(self.match, self._append_rated):
                    return
                await self._reload()
        raise Refusal(Code.UNAVAILABLE, "Too much happens to these players' ratings at once.")

    async def _append_rated(self, rated: Rated, updates: RatingUpdates | None) -> bool:
        return await self._append([Entry(rated, self._neighbours.now_ms())], updates)
