"""What the players of a run have seen, for comparison with the database, and how long they waited."""

import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from millrace.protocol import IdentityId, MatchEvent, MatchId
from tests.chaos.chaotic_cluster import Happened


class Wait(NamedTuple):
    """How long a player waited, in seconds of the monotonic clock."""

    what: str
    """What for."""
    began_s: float
    ended_s: float

    @property
    def length_s(self) -> float:
        """How long it took, in seconds."""
        return self.ended_s - self.began_s


@dataclass
class Witness:
    """Everything that players have seen."""

    acknowledged: dict[tuple[MatchId, int], float] = field(default_factory=dict)
    """When each accepted ply was acknowledged, in seconds of the monotonic clock, by match and event number."""
    seen: dict[MatchId, list[Sequence[MatchEvent]]] = field(default_factory=lambda: defaultdict(list))
    """By match what each player and spectator has received, from the first event on."""
    paired: dict[IdentityId, list[MatchId]] = field(default_factory=lambda: defaultdict(list))
    """The matches to which the searches of each player of the crowd have led."""
    accepted_challenges: dict[IdentityId, list[MatchId]] = field(default_factory=lambda: defaultdict(list))
    """The matches to which each player has challenged another who accepted, in that order."""
    between_people: set[MatchId] = field(default_factory=set)
    """The matches in which no bot has a seat."""
    waits: list[Wait] = field(default_factory=list)
    refusals: Counter[str] = field(default_factory=Counter)
    """Commands that were refused because of a fault, by code."""
    cancelled_searches: set[IdentityId] = field(default_factory=set)
    """The players of the crowd who have ended their last search."""

    def acknowledge(self, match: MatchId, seq: int) -> None:
        """Note the answer to a ply."""
        assert (match, seq) not in self.acknowledged, f"two plies were answered with event {seq} of {match}"
        self.acknowledged[match, seq] = time.monotonic()

    def see(self, match: MatchId, seq: int) -> None:
        """Record that a player has received an event, perhaps some time after it was acknowledged to its author."""
        began_s = self.acknowledged.get((match, seq))
        if began_s is not None:
            self.waits.append(Wait("another player's ply", began_s, time.monotonic()))
        elif match not in self.between_people and (match, seq - 1) in self.acknowledged:
            self.waits.append(Wait("a bot's ply", self.acknowledged[match, seq - 1], time.monotonic()))


def longest_wait(waits: Sequence[Wait], faults: Sequence[Happened], others: Sequence[Happened]) -> Wait | None:
    """Return the longest wait that overlapped with one of some faults and with none of some others, if there is one."""

    def overlaps(wait: Wait, fault: Happened) -> bool:
        return wait.began_s < fault.ended_s and wait.ended_s > fault.began_s

    found = (
        wait
        for wait in waits
        if any(overlaps(wait, fault) for fault in faults) and not any(overlaps(wait, other) for other in others)
    )
    return max(found, key=lambda wait: wait.length_s, default=None)
