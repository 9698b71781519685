"""The events that features publish on the bus.

An event says what happened, not what to do about it. It is published after the change is stored. Events of the bus
itself are in `server.cluster.bus_events`.
"""

import msgspec

from millrace.protocol import IdentityId, MatchId, Player


class BusEvent(msgspec.Struct, frozen=True):
    """An event in one part of the server, for the other parts of the same node."""


class SharedEvent(BusEvent, frozen=True):
    """An event in one part of the server, for every node of the cluster.

    On the wire, the class name identifies the kind. Nodes ignore unknown kinds and fields, so a field added later needs
    a default.
    """

    @property
    def topic(self) -> str:
        """The match or node whose followers receive the event. Empty if every node receives it."""
        return ""


class MatchChanged(BusEvent, frozen=True):
    """A match was created, loaded, continued, ended or renamed, or its audience changed."""

    match: MatchId


class PlyMade(BusEvent, frozen=True):
    """A ply was made in a match, and nothing else changed: the most frequent change."""

    match: MatchId


class InterruptionEnded(BusEvent, frozen=True):
    """This node can store events again, which it could not since a moment: play stood still."""

    since_ms: int


class SeeksChanged(BusEvent, frozen=True):
    """A seek was listed or withdrawn, or became visible to other players."""


class BotsChanged(BusEvent, frozen=True):
    """A bot that accepts challenges came, left or changed its rules."""


class PresenceChanged(BusEvent, frozen=True):
    """A player's first connection opened or the last one closed."""

    player: Player
    online: bool
    is_here: bool = True
    """Whether the connection was to this node."""


class PlayingChanged(BusEvent, frozen=True):
    """A player began or finished a match that others may watch."""


class BlocksChanged(SharedEvent, frozen=True):
    """A player blocked or unblocked another."""

    identity: IdentityId
    """The player who blocks or unblocks."""
    other: IdentityId
    is_blocked: bool = True
    """Whether the other player is blocked now."""


class RestrictionsChanged(BusEvent, frozen=True):
    """A player was muted, banned, renamed by a moderator or given another role, or this was undone."""

    identity: IdentityId


class ReportsChanged(SharedEvent, frozen=True):
    """A report was made, taken or settled."""


class ModerationApplied(BusEvent, frozen=True):
    """This node has applied moderation actions, which may have settled reports; each node does so itself."""


class ReportUpheld(BusEvent, frozen=True):
    """Moderators acted on a report."""

    reporter: IdentityId
    subject: IdentityId
    """The reported player."""
    match: MatchId | None
    at_ms: int


class ChatLineRemoved(BusEvent, frozen=True):
    """A moderator removed the text of a chat line."""

    match: MatchId
    line: int


class PlayerRenamed(BusEvent, frozen=True):
    """A player has another name, because moderators removed it or because the player chose a new one."""

    player: Player


class AccountDeleted(SharedEvent, frozen=True):
    """An account was deleted; features forget its data in memory."""

    identity: IdentityId
    replacement: Player
    """The nameless player in its matches from now on."""
