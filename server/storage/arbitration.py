"""Decides in memory which appends conflict with the events that are stored, or with one another.

No database: what is not in memory is read by a function that is passed in.

The memory may be out of date, since other processes may write to the same database. What it admits is therefore stored
under a unique key, the match and the event's number, which fails if somebody else was first; and it refuses nothing
before it has read the match anew. As the key holds, the memory was right about the command ids too.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeAlias

from ..protocol import CommandId, MatchId

REMEMBERED_MATCHES = 20_000
"""Matches in memory: 8 KiB each after 60 plies."""

Command: TypeAlias = tuple[int, CommandId]
"""A seat and the id of its command."""


@dataclass(slots=True)
class StoredMatch:
    """What decides whether an append conflicts with a match."""

    last_seq: int
    """0 if the match has no events."""
    commands: set[Command]
    """Every command that led to an event."""

    def admits(self, candidate: "Candidate") -> bool:
        """Return whether the candidate's events can follow."""
        commands = candidate.commands
        is_next = candidate.expected_seq == self.last_seq
        return is_next and self.commands.isdisjoint(commands) and len(set(commands)) == len(commands)

    def add(self, candidate: "Candidate") -> None:
        """Remember the candidate's events."""
        self.last_seq += candidate.event_count
        self.commands.update(candidate.commands)


class Candidate(NamedTuple):
    """An append, as far as it can conflict with other events of its match."""

    match: MatchId
    expected_seq: int
    event_count: int
    """How many events it has."""
    commands: Sequence[Command]
    ends: bool = False
    """Whether the match is over with it, so that hardly anything will follow."""


class Arbiter:
    """Remembers the matches of recent appends."""

    def __init__(self, read: Callable[[MatchId], StoredMatch]) -> None:
        self._read = read
        self._matches: dict[MatchId, StoredMatch] = {}

    def admit(self, candidates: Iterable[Candidate]) -> list[bool]:
        """Return which candidates can be stored one after the other, and remember those as stored.

        If they are not stored after all, their matches must be forgotten.
        """
        fresh: set[MatchId] = set()
        admitted = [self._admit(candidate, fresh) for candidate in candidates]
        while len(self._matches) > REMEMBERED_MATCHES:
            del self._matches[next(iter(self._matches))]
        return admitted

    def forget(self, matches: Iterable[MatchId]) -> None:
        """Read these matches anew when they are next asked for."""
        for match in matches:
            self._matches.pop(match, None)

    def _admit(self, candidate: Candidate, fresh: set[MatchId]) -> bool:
        match = candidate.match
        stored = self._matches.pop(match, None)
        if stored is None and candidate.expected_seq == 0:
            # A match that begins has no events, or else its key will say so.
            stored = StoredMatch(0, set())
        elif stored is None or (match not in fresh and not stored.admits(candidate)):
            stored = self._read(match)
        fresh.add(match)
        is_admitted = stored.admits(candidate)
        if is_admitted:
            stored.add(candidate)
        if not (is_admitted and candidate.ends):
            self._matches[match] = stored
        return is_admitted
