"""Which commands had their effect: every accepted one is remembered by seat and command id for the match's life.

A command that comes again is answered alike, without a second effect. Not what a command leads to, which is decided in
`server.matches.referee`.
"""

from collections.abc import Sequence

from ..journal.store import NO_SEAT, Recorded
from ..protocol import CommandId, Decline, Event, FillSeat, Join, MatchCommand, Player, Seated
from .match import Match


class Memory:
    """The accepted commands of a match, told event by event."""

    def __init__(self) -> None:
        self._seqs: dict[tuple[int, CommandId], int] = {}

    def note(self, recorded: Recorded) -> None:
        """Remember the command that led to a stored event, if one did."""
        seq, entry = recorded
        if entry.command_id is not None:
            self._seqs[entry.seat, entry.command_id] = seq

    def find(self, match: Match, command: MatchCommand, player: Player) -> int | None:
        """Return the seq to which a command of this player led when it first came, or None if it is new."""
        seats = (NO_SEAT,) if isinstance(command, Decline) else match.seats_of(player.id)
        for seat in seats:
            seq = self._seqs.get((seat, command.id))
            if seq is not None:
                return seq
        return None


def remembering_seat(match: Match, command: MatchCommand, player: Player, events: Sequence[Event]) -> int:
    """Return the seat under which an accepted command is remembered: the one it takes or acts for."""
    if isinstance(command, Join) and isinstance(events[0], Seated):
        return events[0].seat
    if isinstance(command, FillSeat):
        return match.seats_of(player.id)[0]
    if isinstance(command, Decline):
        return NO_SEAT
    assert command.seat is not None
    return command.seat
