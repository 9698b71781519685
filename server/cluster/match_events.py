"""Events between nodes about matches: stored events, and who watches on each node.

Events about one match go to the nodes with a room for it, which follow its id as a topic.
"""

import msgspec

from millrace.protocol import CommandId, Event, IdentityId, MatchId

from .events import SharedEvent


class StoredEvent(msgspec.Struct, frozen=True, array_like=True):
    """An event of a match as it was stored; see `server.journal.entries.Entry`."""

    event: Event
    at_ms: int
    seat: int
    command_id: CommandId | None


class AboutMatch(SharedEvent, frozen=True):
    """An event for the nodes that have a room for a match."""

    match: MatchId

    @property
    def topic(self) -> str:
        """The match."""
        return self.match


class EventsStored(AboutMatch, frozen=True):
    """A node has stored events of a match."""

    seq: int
    """The number of the first of them."""
    events: tuple[StoredEvent, ...]
    lag: tuple[tuple[int, int], ...] = ()
    """The lag quota and the round trip of each seat in ms; see `server.matches.lag_compensation`."""


class WatchersChanged(AboutMatch, frozen=True):
    """The people who watch a match on one node have changed."""

    node: str
    came: tuple[IdentityId, ...]
    left: tuple[tuple[IdentityId, bool], ...]
    """Each with whether they ended their connection on purpose."""
    reserving: tuple[IdentityId, ...] = ()
    """For whom an open seat is to be kept."""


class WatchersListed(AboutMatch, frozen=True):
    """Everyone who watches a match on one node."""

    node: str
    watchers: tuple[IdentityId, ...]
    is_answer_wanted: bool
    """Whether the other nodes must answer with their own lists."""


class MatchesRenamed(SharedEvent, frozen=True):
    """The stored names of some matches' players have changed."""

    matches: tuple[MatchId, ...]


class RoomOpened(SharedEvent, frozen=True):
    """A node has opened a room for a match owned by another node, which must open one too."""

    match: MatchId
    owner: str

    @property
    def topic(self) -> str:
        """The node that owns the match."""
        return self.owner
