"""The lag of one match's players: measured with their plies, shared among the nodes, and given back to their clocks.

How much is given back is computed in `server.matches.lag_compensation`.
"""

from collections.abc import Sequence

from millrace.protocol import Play

from ..matches.lag_compensation import LagCompensation
from ..matches.match import Match
from .pending_command import PendingCommand


class MatchLag:
    """What is known about the lag of one match's players. It lasts as long as the room."""

    def __init__(self, match: Match) -> None:
        self.compensation = LagCompensation.of(match.created.clock, len(match.players))
        """The quotas of the seats, for the next decision."""

    @property
    def figures(self) -> tuple[tuple[int, int], ...]:
        """The quota and the round trip of each seat, in milliseconds, for the other nodes."""
        return self.compensation.figures

    def measure(self, asked: PendingCommand, match: Match) -> None:
        """Note the round trip of a player who makes a ply."""
        command = asked.command
        if self.compensation.quotas and isinstance(command, Play) and command.seat in match.seats_of(asked.player.id):
            self.compensation = self.compensation.measured(command.seat, asked.round_trip_ms)

    def take_over(self, figures: Sequence[tuple[int, int]]) -> None:
        """Replace the figures by those of another node, if it has any."""
        if figures:
            self.compensation = self.compensation.with_figures(figures)
