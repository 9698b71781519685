"""Decides in memory which appends conflict with the events that are stored, or with one another.

No database: what is not in memory is read by a function that is passed in.

The memory may be out of date, since other processes may write to the same database. What it admits is therefore stored
under a unique key, the match and the event's number, which fails if somebody else was first; and it refuses nothing
before it has read the match anew. As the key holds, the memory was right about the command ids too.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from millrace.protocol import MatchId

from .appends import Append, Command

REMEMBERED_MATCHES = 20_000
"""Matches in memory: 8 KiB each after 60 plies."""


@dataclass(slots=True)
class StoredMatch:
    """What decides whether an append conflicts with a match."""

    last_seq: int
    """0 if the match has no events."""
    commands: set[Command]
    """Every command that led to an event."""

    def admits(self, append: Append) -> bool:
        """Return whether the events of an append can follow."""
        commands = append.commands
        if append.expected_seq != self.last_seq or not self.commands.isdisjoint(commands):
            return False
        return len(commands) == 1 or len(set(commands)) == len(commands)

    def add(self, append: Append) -> None:
        """Remember the events of an append."""
        self.last_seq += len(append.events)
        self.commands.update(append.commands)


class Arbiter:
    """Remembers the matches of recent appends."""

    def __init__(self, read: Callable[[MatchId], StoredMatch]) -> None:
        self._read = read
        self._matches: dict[MatchId, StoredMatch] = {}

    def admit(self, appends: Iterable[Append]) -> list[bool]:
        """Return which appends can be stored one after the other, and remember those as stored.

        If they are not stored after all, their matches must be forgotten.
        """
        fresh: set[MatchId] = set()
        admitted = [self._admit(append, fresh) for append in appends]
        while len(self._matches) > REMEMBERED_MATCHES:
            del self._matches[next(iter(self._matches))]
        return admitted

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Read these matches anew when they are next asked for."""
        for match in matches:
            self._matches.pop(match, None)

    def _admit(self, append: Append, fresh: set[MatchId]) -> bool:
        match = append.match
        if not append.events:
            return True
        stored = self._matches.pop(match, None)
        if stored is None and append.expected_seq == 0:
            # A match that begins has no events, or else its key will say so.
            stored = StoredMatch(0, set())
        elif stored is None or (match not in fresh and not stored.admits(append)):
            stored = self._read(match)
        fresh.add(match)
        is_admitted = stored.admits(append)
        if is_admitted:
            stored.add(append)
        if not (is_admitted and append.ends):
            self._matches[match] = stored
        return is_admitted
