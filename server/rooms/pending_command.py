"""A player's command on its way through a room: what was asked, what it leads to, and its answer."""

import asyncio
from collections.abc import Sequence
from time import perf_counter
from typing import NamedTuple

from millrace.protocol import Accepted, MatchCommand, MatchId, Player

from ..journal.entries import Entry
from ..matches.referee import Decision
from ..runtime import metrics
from ..storage.batches import Insertion


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

    def accept(self, match: MatchId, seq: int) -> None:
        """Answer that the command has led to an event."""
        metrics.COMMAND_SECONDS.observe(perf_counter() - self.began_s)
        if not self.answer.done():
            self.answer.set_result(Accepted(self.command.id, match, seq))

    def fail(self, error: Exception) -> None:
        """Answer with what went wrong."""
        metrics.COMMAND_SECONDS.observe(perf_counter() - self.began_s)
        if not self.answer.done():
            self.answer.set_exception(error)


class DecidedCommand(NamedTuple):
    """What a command leads to, and the entries to be stored for it."""

    decision: Decision
    entries: Sequence[Entry]
