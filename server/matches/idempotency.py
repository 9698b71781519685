"""Idempotency: a match remembers every accepted command, so that a repeated one gets the same answer and no effect.

What a new command leads to is decided in `server.matches.referee`.
"""

from collections.abc import Sequence

from millrace.protocol import (
    AskForSeat,
    ChangePlayer,
    CommandId,
    Decline,
    Event,
    FillSeat,
    Join,
    LeaveSeat,
    MatchCommand,
    Offer,
    PauseBots,
    Player,
    ResumeBots,
    Seated,
)

from ..journal.entries import NO_SEAT, Recorded
from .match import Match


class AcceptedCommands:
    """The accepted commands of a match, by seat and command id."""

    def __init__(self) -> None:
        self._seqs: dict[tuple[int, CommandId], int] = {}
        self._ids: set[CommandId] = set()

    def add(self, recorded: Recorded) -> None:
        """Remember the command that led to a stored event, if there was one."""
        seq, entry = recorded
        if entry.command_id is not None:
            self._seqs[entry.seat, entry.command_id] = seq
            self._ids.add(entry.command_id)

    def find(self, match: Match, command: MatchCommand, player: Player) -> int | None:
        """Return the seq of the event to which this player's command led before, or None if the command is new."""
        if command.id not in self._ids:
            return None
        for seat in _seats_of(match, command, player):
            seq = self._seqs.get((seat, command.id))
            if seq is not None:
                return seq
        return None


def _seats_of(match: Match, command: MatchCommand, player: Player) -> Sequence[int]:
    """Return the seats under which a player's command may be remembered."""
    if isinstance(command, Decline | ChangePlayer | PauseBots | ResumeBots):
        return (NO_SEAT,)
    # A player who has left a seat no longer holds it; a spectator who asks for a seat does not hold it yet.
    return (command.seat,) if isinstance(command, LeaveSeat | AskForSeat | Offer) else match.seats_of(player.id)


def command_seat(match: Match, command: MatchCommand, player: Player, events: Sequence[Event]) -> int:
    """Return the seat under which an accepted command is remembered: the seat that it takes or acts for."""
    if isinstance(command, Join) and isinstance(events[0], Seated):
        return events[0].seat
    if isinstance(command, FillSeat):
        return match.seats_of(player.id)[0]
    if isinstance(command, Decline | ChangePlayer | PauseBots | ResumeBots):
        return NO_SEAT
    assert command.seat is not None
    return command.seat
