"""What moderation stores: actions with their log, and reports. Interfaces only; `server.storage` implements them.

The log is more than a record. Its entries are numbered without gaps in the order of their commits, and every running
server follows it to learn of the actions of other servers and of the command line (`server.moderation.enforcement`).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from millrace.protocol import (
    ChatLine,
    CommandId,
    IdentityId,
    MatchId,
    ModerationAction,
    NamedPlayer,
    Player,
    ReportReason,
    Role,
)

from ..journal.journal import Entry
from ..journal.ratings import Rating
from ..players.accounts.restriction_store import ActionRecord, Restriction, RestrictionKind, RestrictionStore
from ..ratings.rating_store import StoredChange

FOREVER_MS = 253_402_300_799_000
"""The end of the year 9999. Removed names stay reserved at least until then."""


class NumberedRecord(NamedTuple):
    """An entry of the moderation log."""

    number: int
    record: ActionRecord


# What an action changes besides the log


class SetRole(NamedTuple):
    """A player gets or loses a role."""

    identity: IdentityId
    before: Role | None
    after: Role | None


class AddRestriction(NamedTuple):
    """A player is muted or banned. A mute replaces an earlier one."""

    identity: IdentityId
    kind: RestrictionKind
    restriction: Restriction


class RemoveRestriction(NamedTuple):
    """A restriction is lifted."""

    identity: IdentityId
    kind: RestrictionKind


class RenamePlayer(NamedTuple):
    """An account gets another name."""

    player: Player
    """The player with the new name."""
    skeleton: str
    before: str
    """The skeleton of the old name."""
    reserved: IdentityId | None
    """The identity that keeps the old name reserved. None if others may take it."""


class ClearBio(NamedTuple):
    """The text on a player's profile is deleted."""

    identity: IdentityId


class RemoveLine(NamedTuple):
    """The text of a chat line is deleted."""

    match: MatchId
    number: int


class VoidMatch(NamedTuple):
    """A match gets an event that voids it, and its rating changes are reverted."""

    match: MatchId
    seq: int
    """The number of the event."""
    entry: Entry
    restored: tuple["RestoredRating", ...]


class RestoredRating(NamedTuple):
    """The rating of a player without the change that a match made to it."""

    change: StoredChange
    current: Rating
    """The rating that must be stored now; otherwise nothing is changed."""
    after: Rating


Change: TypeAlias = SetRole | AddRestriction | RemoveRestriction | RenamePlayer | ClearBio | RemoveLine | VoidMatch


class LogFilter(NamedTuple):
    """Which entries of the log to return."""

    before: int | None = None
    """Only lower numbers."""
    name: str = ""
    """Only entries by or about players whose name begins with this."""
    action: ModerationAction | None = None
    player: IdentityId | None = None


class ActionTarget(NamedTuple):
    """A player against whom an action might be taken."""

    player: Player
    role: Role | None = None
    restrictions: Mapping[RestrictionKind, Restriction] = MappingProxyType({})


class ModerationStore(RestrictionStore, Protocol):
    """Restrictions, and the log of moderation actions. Every method raises StorageError."""

    async def find(self, identity: IdentityId) -> ActionTarget | None:
        """Return the owner of an account, or a guest who was reported or wrote a chat line."""

    async def record(self, record: ActionRecord, change: Change | None, settled: Sequence[str] = ()) -> bool:
        """Store a log entry, the change that it describes and the settlement of reports, all or nothing.

        Returns False, with nothing stored, if the data to change is not as expected, or if another entry got the
        number; the action must then be decided again. Reports that are already settled stay as they are.
        """

    async def was_recorded(self, by: IdentityId | None, command_id: CommandId) -> bool:
        """Return whether this command of this actor led to a log entry."""

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none."""

    async def entries_after(self, number: int) -> Sequence[NumberedRecord]:
        """Return the entries with higher numbers, in order."""

    async def log(self, wanted: LogFilter, limit: int) -> Sequence[NumberedRecord]:
        """Return the latest entries, latest first."""

    async def lines_around(self, match: MatchId, line: int, count: int) -> Sequence[ChatLine]:
        """Return up to `count` chat lines before and after a line, and the line itself, in order, of both rooms."""


class StoredReport(NamedTuple):
    """A report, with a copy of the reported text."""

    reporter: NamedPlayer
    command_id: CommandId
    match: MatchId | None
    player: NamedPlayer
    """The reported player."""
    line: int | None
    text: str
    """The reported chat line, name or profile text. Empty if the report is about none of these."""
    reason: ReportReason
    note: str
    """The reporter's own explanation."""
    at_ms: int

    @property
    def id(self) -> str:
        """The name of the report in messages."""
        return f"{self.reporter.id}/{self.command_id}"


class UnsettledReport(NamedTuple):
    """A report that is not settled yet."""

    report: StoredReport
    account_name: str | None
    """The player's present name. None for a guest."""
    taken_by: NamedPlayer | None
    number_about_player: int
    """How many unsettled reports about the player there are."""


class ReportTally(NamedTuple):
    """How many settled reports were upheld, and how many were dismissed."""

    upheld: int = 0
    dismissed: int = 0


class ReportStore(Protocol):
    """Reports. Every method raises StorageError."""

    async def add(self, report: StoredReport) -> None:
        """Store a report. Storing the same command again changes nothing."""

    async def open(self, most: int, most_of_player: int) -> Sequence[UnsettledReport]:
        """Return the latest unsettled reports, latest first, and of those about one player up to `most_of_player`."""

    async def take(self, player: IdentityId, by: IdentityId) -> bool:
        """Assign the open reports about a player to a moderator.

        Returns False if another moderator has taken them, or if there are none.
        """

    async def release(self, player: IdentityId, by: IdentityId) -> None:
        """Release the open reports about a player that a moderator had taken."""

    async def upheld_by(self, number: int) -> Sequence[StoredReport]:
        """Return the reports that a log entry upheld."""

    async def tallies_of_reporters(self) -> dict[IdentityId, ReportTally]:
        """Return the tallies of settled reports by the players whose reports are open."""

    async def tallies_of_reported(self) -> dict[IdentityId, ReportTally]:
        """Return the tallies of settled reports about the players who are reported now."""

    async def tally_about(self, player: IdentityId) -> ReportTally:
        """Return the tally of settled reports about a player."""
