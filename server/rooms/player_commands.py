"""The way of a player's command through a room: its turn, the decision, the journal, the answer.

Commands of one match are decided one after another; those of different matches share the journal's transactions. A
command is decided where it arrives, and the commit resumes it: no task waits for either. Only one that needs something
else to be read or stored first goes on in a task. What a command leads to is decided in `server.matches.referee`.
"""

import asyncio
from collections.abc import Sequence
from functools import partial
from time import perf_counter
from typing import NamedTuple

from millrace.protocol import Accepted, Claim, Code, Join, MatchCommand, Play, Player
from millrace.protocol.refusal import Refusal

from ..journal.entries import Entry
from ..matches.idempotency import command_seat
from ..matches.referee import Decision, decide
from ..runtime import metrics
from ..storage.appends import Insertion
from .automation import bring_up_to_date, interrupted, publish
from .bot_availability import require_bots_for
from .event_log import AddedEvents
from .room import Room
from .storing import begin_storing, finish_storing, read_new, store

CONFLICT_ATTEMPTS = 5
"""Maximum attempts to decide and store after a write conflict."""
OWNER_SECONDS = 5.0
"""How long a command waits for the owner of the match to store an automatic event that is due."""
LOOK_AGAIN_SECONDS = 0.2
"""Interval at which such a command is looked at again."""


class PendingCommand(NamedTuple):
    """A command that has not been answered."""

    command: MatchCommand
    player: Player
    round_trip_ms: int
    """The latest measurement of the player's connection."""
    answer: asyncio.Future[Accepted]
    began_s: float
    """When it came, by `perf_counter`."""
    insertions: Sequence[Insertion] = ()
    """The request of the player that led to this match, to be stored with what the command leads to."""


class DecidedCommand(NamedTuple):
    """What a command leads to, and the entries to be stored for it."""

    decision: Decision
    entries: Sequence[Entry]


def carry_out(
    room: Room, command: MatchCommand, player: Player, round_trip_ms: int = 0, insertions: Sequence[Insertion] = ()
) -> asyncio.Future[Accepted]:
    """Carry out a player's command; what it returns is done once the effect is stored, or fails with a Refusal.

    `round_trip_ms` is the latest measurement of the player's connection; `insertions` store the request that led the
    player to this match, if it is to be remembered.
    """
    asked = PendingCommand(command, player, round_trip_ms, room.loop.create_future(), perf_counter(), insertions)
    if room.is_interrupted:
        _fail(asked, interrupted())
    else:
        room.turn.take(_begin, room, asked)
    return asked.answer


def _begin(room: Room, asked: PendingCommand) -> None:
    """Begin a command in its turn. Most are decided at once, and their turn ends with the commit."""
    now_ms = room.services.now_ms()
    is_due = room.timer.is_due(now_ms)
    if is_due and not room.is_owned and perf_counter() - asked.began_s < OWNER_SECONDS:
        # The owner knows better whether a flag has fallen; if it has stopped, another node owns the match soon.
        room.turn.release()
        room.loop.call_later(LOOK_AGAIN_SECONDS, room.turn.take, _begin, room, asked)
        return
    if room.is_uncertain or is_due:
        room.tasks.begin(_carry_out_later, room, asked)
        return
    try:
        _measure_lag(room, asked)
        seq = room.log.accepted.find(room.log.match, asked.command, asked.player)
        if seq is not None:
            _accept(room, asked, seq)
            room.turn.release()
            return
        decided = _decide(room, asked, now_ms)
        stored = begin_storing(room, decided.entries, asked.insertions)
    except Exception as error:
        if room.is_shared and isinstance(error, Refusal):
            room.tasks.begin(_carry_out_later, room, asked)
        else:
            _fail(asked, error)
            room.turn.release()
    else:
        stored.add_done_callback(partial(_conclude, room, asked, decided))


def _conclude(room: Room, asked: PendingCommand, decided: DecidedCommand, stored: asyncio.Future[bool]) -> None:
    """Answer a command whose events have been stored, and send them to the audience."""
    seq = room.log.match.seq + 1
    try:
        added = finish_storing(room, stored, decided.decision.played)
    except Exception as error:
        _fail(asked, error)
        room.turn.release()
        return
    if added is None:
        room.tasks.begin(_carry_out_later, room, asked)
        return
    # Answered before the audience is sent anything, so that the player gets both in one write.
    _accept(room, asked, seq)
    try:
        _adopt(room, decided, added)
    finally:
        room.turn.release()


async def _carry_out_later(room: Room, asked: PendingCommand) -> None:
    """Carry out a command that needs the journal to be read first, or something else to be stored before it."""
    answer: int | Exception = Refusal(Code.UNAVAILABLE, "The server is restarting; please try again.")
    try:
        _measure_lag(room, asked)
        await bring_up_to_date(room)
        answer = await _decide_and_store(room, asked)
    except Exception as error:
        answer = error
    finally:
        if isinstance(answer, int):
            _accept(room, asked, answer)
        else:
            _fail(asked, answer)
        room.turn.release()


async def _decide_and_store(room: Room, asked: PendingCommand) -> int:
    """Decide a command, again after each write conflict; return the seq of its event. Raises: Refusal.

    A refusal counts only if no other node has stored what this one has not heard of yet.
    """
    for _ in range(CONFLICT_ATTEMPTS):
        seq = room.log.accepted.find(room.log.match, asked.command, asked.player)
        if seq is not None:
            return seq
        seq = room.log.match.seq + 1
        try:
            decided = _decide(room, asked, room.services.now_ms())
        except Refusal:
            if not room.is_shared:
                raise
            publish(room, await read_new(room))
            if room.log.match.seq < seq:
                raise
            continue
        added = await store(room, decided.entries, decided.decision.played, asked.insertions)
        if added is not None:
            _adopt(room, decided, added)
            return seq
        publish(room, await read_new(room))
    raise Refusal(Code.UNAVAILABLE, "This match is busy; nothing was done. Please try again.")


def _decide(room: Room, asked: PendingCommand, now_ms: int) -> DecidedCommand:
    """Decide a command with all that the room knows. Raises: Refusal."""
    command, player, match = asked.command, asked.player, room.log.match
    if isinstance(command, Join):
        _require_unreserved(room, player, now_ms)
    if not isinstance(command, Play):
        require_bots_for(command, match, room.services.bots)
    decision = decide(
        match,
        command,
        player,
        now_ms,
        seat_ratings=room.services.ratings.seat_rating,
        lag=room.lag,
        claimable_at_ms=room.presence.claimable_at_ms(match) if isinstance(command, Claim) else (),
    )
    first, *others = decision.events
    entries = [Entry(first, now_ms, command_seat(match, command, player, decision.events), command.id)]
    for event in others:
        entries.append(Entry(event, now_ms))
    return DecidedCommand(decision, entries)


def _require_unreserved(room: Room, player: Player, now_ms: int) -> None:
    """Refuse a seat while visitors keep all that are open. Raises: Refusal."""
    open_seats = room.log.match.players.count(None)
    if 0 < open_seats <= room.presence.reservations_before(player.id, now_ms):
        raise Refusal(Code.SEAT_TAKEN, "Another visitor is learning the game and has the seat. Please try again later.")


def _adopt(room: Room, decided: DecidedCommand, added: AddedEvents) -> None:
    if decided.decision.lag is not None:
        room.lag = decided.decision.lag
    publish(room, added)


def _measure_lag(room: Room, asked: PendingCommand) -> None:
    """Note the round trip of a player who makes a ply."""
    command = asked.command
    if room.lag.quotas and isinstance(command, Play) and room.log.match.is_held_by(command.seat, asked.player.id):
        room.lag = room.lag.measured(command.seat, asked.round_trip_ms)


def _accept(room: Room, asked: PendingCommand, seq: int) -> None:
    """Answer that a command has led to an event."""
    metrics.COMMAND_SECONDS.observe(perf_counter() - asked.began_s)
    if not asked.answer.done():
        asked.answer.set_result(Accepted(asked.command.id, room.id, seq))


def _fail(asked: PendingCommand, error: Exception) -> None:
    """Answer a command with what went wrong."""
    metrics.COMMAND_SECONDS.observe(perf_counter() - asked.began_s)
    if not asked.answer.done():
        asked.answer.set_exception(error)
