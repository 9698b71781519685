"""The nodes that stopped a short time ago, and the matches that this interrupted."""

from collections.abc import Mapping
from typing import NamedTuple

from millrace.protocol import IdentityId, MatchId

from ..cluster.membership import Membership
from ..cluster.rendezvous import choose_owner
from .room import Room
from .unsettled import UNSETTLED_MS


class StoppedNode(NamedTuple):
    """A node that has stopped."""

    node: str
    beat_ms: int
    """Its last sign of life."""
    noticed_ms: int
    """When this node heard of it."""
    watchers: Mapping[MatchId, frozenset[IdentityId]]
    """Who watched on it at that moment, in the matches that had rooms here. A node that stops in good order hands them
    over at once, and they are soon gone from it."""


class StoppedNodes:
    """Remembers the nodes that have stopped, for as long as it matters to matches."""

    def __init__(self, membership: Membership) -> None:
        self._membership = membership
        self._stopped: dict[str, StoppedNode] = {}

    def add(self, node: str, beat_ms: int, now_ms: int, rooms: Mapping[MatchId, Room]) -> StoppedNode:
        """Note that a node has stopped, and who watched on it in the matches that have rooms here."""
        self._stopped = {
            node: stopped for node, stopped in self._stopped.items() if now_ms - stopped.noticed_ms < UNSETTLED_MS
        }
        watchers = {match: there for match, room in rooms.items() if (there := room.watchers_on(node))}
        stopped = self._stopped[node] = StoppedNode(node, beat_ms, now_ms, watchers)
        return stopped

    def sign_of_life_ms(self, match: MatchId, last_at_ms: int) -> int | None:
        """Return the last sign of life of the node that owned a match, if it has stopped and nothing has happened in
        the match since that was noticed."""
        members = self._membership.members
        for stopped in self._stopped.values():
            was_owner = choose_owner(match, {*members, stopped.node}) == stopped.node
            if was_owner and last_at_ms <= stopped.noticed_ms:
                return stopped.beat_ms
        return None

    def has_interrupted(self, match: MatchId, room: Room, stopped: StoppedNode) -> bool:
        """Return whether a match was interrupted when a node stopped, and has not gone on since: its owner has stopped,
        or the player to move was connected to that node."""
        if self.sign_of_life_ms(match, room.last_at_ms) is not None:
            return True
        mover = room.match.mover
        is_cut_off = mover is not None and mover.id in stopped.watchers.get(match, ())
        return is_cut_off and room.last_at_ms <= stopped.noticed_ms
