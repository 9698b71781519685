"""What the audience of a match is sent: new events, the legal moves, and who is present."""

from collections.abc import Sequence

from millrace.protocol import (
    AudienceUpdate,
    Event,
    Moved,
    Paused,
    PauseEnded,
    Seated,
    SeatFreed,
    Started,
    TakenBack,
)
from millrace.protocol.frames import WireFrame, frame_of, wire_frame

from ..cluster.events import MatchChanged
from ..matches.views import encode_turn
from .event_log import AddedEvents
from .room import Room

UPDATE_SECONDS = 0.5
"""Minimum time between two updates of who is present."""

LARGE_AUDIENCE = 50
"""From this number of spectators on, their updates come more rarely, in proportion to the number."""

MAX_UPDATE_SECONDS = 10.0
"""Maximum time between two updates for spectators."""

TURN_EVENTS: frozenset[type[Event]] = frozenset((Seated, Started, Moved, TakenBack, PauseEnded))
"""Events after which the player to move is sent the legal moves."""

PRESENCE_EVENTS: frozenset[type[Event]] = frozenset((Seated, SeatFreed, Paused, PauseEnded))
"""Events that change who is present, or from when absence counts."""


def send_events(room: Room, added: AddedEvents) -> None:
    """Send new events to everyone, players first, and the legal moves to the player whose turn they begin."""
    kinds, audience, match = added.kinds, room.audience, room.log.match
    if Seated in kinds:
        _move_to_players(room, added)
    audience.send(added.frames, added.spectator_frames)
    if SeatFreed in kinds:
        _move_to_spectators(room, added)
    if not TURN_EVENTS.isdisjoint(kinds):
        _send_turn(room)
    # Absence counts from the moment at which every seat has made a ply.
    is_under_way_now = match.state.ply == len(match.players)
    if is_under_way_now or not PRESENCE_EVENTS.isdisjoint(kinds):
        schedule_update(room)


def send_frames(room: Room, frames: Sequence[WireFrame]) -> None:
    """Send the same frames to everyone."""
    room.audience.send(frames, frames)


def schedule_update(room: Room) -> None:
    """Send everyone who is present, soon."""
    audience, soon = room.audience, room.loop.time() + UPDATE_SECONDS
    if audience.update_timer is not None:
        if audience.update_timer.when() <= soon:
            return
        audience.update_timer.cancel()
    audience.update_timer = room.loop.call_at(soon, _send_update, room)


def presence_update(room: Room, *, is_player: bool) -> AudienceUpdate:
    """Return who is present. Spectators of a delayed match do not learn what may be claimed."""
    match = room.log.match
    claimable_at_ms = room.presence.claimable_at_ms(match) if is_player or not match.created.delay_plies else ()
    return AudienceUpdate(match.id, room.spectator_count, room.presence.seats_present(match), claimable_at_ms)


def _move_to_players(room: Room, added: AddedEvents) -> None:
    """Send those who have taken a seat what players are sent."""
    for event in added.events:
        if isinstance(event, Seated):
            room.audience.players.update(room.audience.spectators.take_out(event.player.id))


def _move_to_spectators(room: Room, added: AddedEvents) -> None:
    """Let those who have left their seats watch on, without the news of players."""
    audience = room.audience
    left = {event.player.id for event in added.events if isinstance(event, SeatFreed)} - room.log.match.people
    for listener in [each for each in audience.players if each.identity in left]:
        audience.players.discard(listener)
        audience.spectators.add(listener)


def _send_turn(room: Room) -> None:
    """Send the player to move the legal moves."""
    mover = room.log.match.mover
    if mover is None or mover.level is not None:
        return
    frames: list[WireFrame] = []
    for listener in tuple(room.audience.players):
        if listener.identity == mover.id:
            frames = frames or [wire_frame(encode_turn(room.log.match))]
            listener.deliver(frames)


def _send_update(room: Room) -> None:
    audience = room.audience
    audience.update_timer = None
    update = presence_update(room, is_player=False)
    frame = frame_of(presence_update(room, is_player=True))
    for listener in tuple(audience.players):
        listener.deliver([frame])
    presence = (update.present, update.claimable_at_ms)
    if presence != audience.sent_presence or room.loop.time() >= audience.count_due_at:
        audience.sent_presence = presence
        audience.count_due_at = room.loop.time() + update_seconds(len(audience.spectators))
        audience.spectators.send([frame_of(update)])
    else:
        audience.update_timer = room.loop.call_at(audience.count_due_at, _send_update, room)
    room.services.bus.publish(MatchChanged(room.id))


def update_seconds(spectators: int) -> float:
    """Return the minimum time between two updates for a number of spectators.

    >>> update_seconds(10), update_seconds(200), update_seconds(5_000)
    (0.5, 2.0, 10.0)
    """
    return min(MAX_UPDATE_SECONDS, UPDATE_SECONDS * max(1.0, spectators / LARGE_AUDIENCE))
