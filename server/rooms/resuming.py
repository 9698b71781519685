"""A match goes on: after a restart of the server, an interruption, the end of another node, or news from one.

What it missed while it stood still is decided in `server.matches.referee`.
"""

from millrace.protocol import Renamed
from millrace.protocol.frames import frame_of

from ..cluster.events import MatchChanged
from ..cluster.match_events import EventsStored
from ..journal.entries import Entry, Recorded
from ..matches.endings import called_off
from ..matches.match import Match, Phase
from ..matches.referee import Decision, decide_resume
from .automation import apply, publish, start_automatic, store_decision, store_due
from .room import Room
from .sending import send_frames
from .storing import add_stored, catch_up, read_new, reload
from .watching import forget_watchers


async def resume(room: Room, last_sign_of_life_ms: int) -> None:
    """Continue the match after a restart of the server: a running clock gets a grace period. Raises: Refusal."""
    async with room.turn:
        now_ms = room.services.now_ms()
        await store_decision(room, Decision(decide_resume(room.log.match, last_sign_of_life_ms, now_ms)), now_ms)
    start_automatic(room)


def interrupt(room: Room, since_ms: int) -> None:
    """Let the match stand still since a moment, because nothing can be stored."""
    room.is_interrupted = True
    if room.interrupted_ms is None:
        room.interrupted_ms = since_ms
    room.timer.hold()


def end_interruption(room: Room) -> None:
    """Let the match go on when that can be stored; a running clock gets a grace period."""
    room.is_interrupted = False
    room.tasks.begin(store_due, room)


async def take_over(room: Room, node: str, last_sign_of_life_ms: int, *, is_interrupted: bool) -> None:
    """Go on without a node that has stopped; who watched there must connect anew. Raises: Refusal.

    If that interrupted the match, a running clock stands still from the node's last sign of life and gets a grace
    period.
    """
    forget_watchers(room, node)
    if room.is_owned and is_interrupted:
        await resume(room, max(last_sign_of_life_ms, room.last_at_ms))
    else:
        start_automatic(room)


async def call_off(room: Room, explanation: str) -> None:
    """End a match of bots without result. Raises: Refusal."""

    def decide_end(match: Match, _now_ms: int) -> Decision:
        return Decision([] if match.phase is Phase.OVER else [called_off(explanation)])

    await apply(room, decide_end)


async def refresh(room: Room) -> None:
    """Add what others have stored. Raises: Refusal."""
    async with room.turn:
        publish(room, await read_new(room))


def receive(room: Room, event: EventsStored) -> None:
    """Add events that another node has stored, if they are new."""
    if event.seq + len(event.events) - 1 > room.log.match.seq:
        room.turn.take(_add, room, event)


def _add(room: Room, event: EventsStored) -> None:
    """Add events of another node in their turn; what is missing before them is read from the journal."""
    if event.lag:
        room.lag = room.lag.with_figures(event.lag)
    entries = (Entry(each.event, each.at_ms, each.seat, each.command_id) for each in event.events)
    recorded = [Recorded(seq, entry) for seq, entry in enumerate(entries, event.seq)]
    is_missing_some = event.seq > room.log.match.seq + 1
    try:
        publish(room, add_stored(room, recorded))
    finally:
        room.turn.release()
    if is_missing_some:
        room.tasks.begin(refresh, room)


async def rename(room: Room) -> None:
    """Read the players' names again and send the changed ones to the audience. Raises: Refusal."""
    async with room.turn:
        publish(room, await catch_up(room))
        before = room.match.players
        await reload(room)
        frames = [
            frame_of(Renamed(room.id, seat, player))
            for seat, player in enumerate(room.match.players)
            if player is not None and player != before[seat]
        ]
    send_frames(room, frames)
    room.services.bus.publish(MatchChanged(room.id))
