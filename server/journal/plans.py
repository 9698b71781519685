"""The plans of players in matches by correspondence, as they are stored: the interface.

`server.storage` implements it. A plan never changes while it is followed: what is left of it follows from the match's
events since (`server.matches.plans`), so nothing has to be stored together with them.
"""

from typing import NamedTuple, Protocol, TypeAlias

from millrace.protocol import MatchId

Lines: TypeAlias = tuple[tuple[str, ...], ...]
"""Lines of move texts, each from the same position on."""


class StoredPlan(NamedTuple):
    """What a player planned, and when."""

    seq: int
    """Of the match's latest event at that time."""
    ply: int
    """The number of plies after which the lines begin."""
    lines: Lines


class PlanStore(Protocol):
    """The stored plans. Every method raises StorageError."""

    async def find(self, match: MatchId, seat: int) -> StoredPlan | None:
        """Return the plan of a seat."""

    async def put(self, match: MatchId, seat: int, plan: StoredPlan) -> None:
        """Store the plan of a seat, in place of an earlier one."""

    async def remove(self, match: MatchId, seat: int | None = None) -> None:
        """Delete the plan of a seat, or of every seat."""
