"""What is kept of order, as the rest of the server sees it: roles, measures, reports, and the log of what was done.

An interface only; `server.storage` keeps it in a database. The log is more than a record: its entries are numbered
without gaps in the order in which they were committed, so that every running server learns from it what was done, by
whom ever: another server, or the command line (`server.moderation.enforcement`).
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, Protocol, TypeAlias

from ..accounts.restriction_store import ActionRecord, Restriction, RestrictionKind, RestrictionStore
from ..journal.ratings import Rating
from ..journal.store import Entry
from ..protocol import ChatLine, CommandId, Deed, IdentityId, MatchId, Named, Player, ReportReason, Role
from ..ratings.store import StoredChange

FOR_EVER_MS = 253_402_300_799_000
"""The end of the year 9999: until then at least a name that was removed is nobody's."""


class Numbered(NamedTuple):
    """An entry of the log."""

    number: int
    record: ActionRecord


# What a deed changes besides the log


class GiveRole(NamedTuple):
    """Somebody has another role, or none."""

    identity: IdentityId
    before: Role | None
    after: Role | None


class Impose(NamedTuple):
    """A measure is taken; a mute takes the place of an earlier one."""

    identity: IdentityId
    kind: RestrictionKind
    measure: Restriction


class Lift(NamedTuple):
    """A measure is taken back."""

    identity: IdentityId
    kind: RestrictionKind


class Rename(NamedTuple):
    """An account gets another name."""

    player: Player
    """As others see it from now on."""
    skeleton: str
    before: str
    """The skeleton of the old name."""
    reserved: IdentityId | None
    """By which the old one is kept, so that nobody gets it; None if anybody may."""


class ClearBio(NamedTuple):
    """What somebody has written of themselves is gone."""

    identity: IdentityId


class RemoveLine(NamedTuple):
    """A line loses its text."""

    match: MatchId
    number: int


class VoidMatch(NamedTuple):
    """A match gets an event, and what it did to the ratings is taken back."""

    match: MatchId
    seq: int
    """Of the event."""
    entry: Entry
    restored: tuple["Restored", ...]


class Restored(NamedTuple):
    """What one player's rating becomes without a match."""

    change: StoredChange
    current: Rating
    """Must be what is stored, or nothing is."""
    after: Rating


Change: TypeAlias = GiveRole | Impose | Lift | Rename | ClearBio | RemoveLine | VoidMatch


class LogFilter(NamedTuple):
    """Which entries of the log are wanted."""

    before: int | None = None
    """Only lower numbers."""
    name: str = ""
    """Only those by or upon one whose name begins so."""
    deed: Deed | None = None
    player: IdentityId | None = None


class Known(NamedTuple):
    """Somebody upon whom something might be done."""

    player: Player
    role: Role | None = None
    measures: Mapping[RestrictionKind, Restriction] = MappingProxyType({})


class OrderStore(RestrictionStore, Protocol):
    """Restrictions, and the log of moderation actions. Every method raises StorageError."""

    async def find(self, identity: IdentityId) -> Known | None:
        """Return the owner of an account, or a guest of whom there is a report or a line."""

    async def record(self, record: ActionRecord, change: Change | None, settled: Sequence[str] = ()) -> bool:
        """Store an entry of the log with the change that it tells of, and settle reports by it, all or nothing.

        Returns False, with nothing stored, if what is to be changed is not as it was taken to be, or if another entry
        came first: then it is to be decided anew. Reports that are settled already stay as they are.
        """

    async def was_recorded(self, by: IdentityId | None, command_id: CommandId) -> bool:
        """Return whether a command of somebody has led to an entry."""

    async def latest_number(self) -> int:
        """Return the number of the latest entry, 0 if there is none."""

    async def entries_after(self, number: int) -> Sequence[Numbered]:
        """Return the entries of higher numbers, in order."""

    async def log(self, wanted: LogFilter, most: int) -> Sequence[Numbered]:
        """Return the latest entries, the latest first."""

    async def lines_around(self, match: MatchId, line: int, most: int) -> Sequence[ChatLine]:
        """Return the lines of both rooms up to so many before and after a line, in order."""


class ReportEntry(NamedTuple):
    """A report as it is kept, with what it is about."""

    reporter: Named
    command_id: CommandId
    match: MatchId | None
    player: Named
    """Whom it is about."""
    line: int | None
    text: str
    """Of that line, or the name or words about oneself; empty where it is about none of these."""
    reason: ReportReason
    words: str
    at_ms: int

    @property
    def id(self) -> str:
        """By which moderators name it."""
        return f"{self.reporter.id}/{self.command_id}"


class OpenEntry(NamedTuple):
    """A report that nobody has settled."""

    report: ReportEntry
    account_name: str | None
    """The name that the player has now; None for a guest."""
    taken_by: Named | None


class Tally(NamedTuple):
    """How many settled reports were right, and how many called for nothing."""

    upheld: int = 0
    dismissed: int = 0


class ReportStore(Protocol):
    """The reports. Every method raises StorageError."""

    async def add(self, report: ReportEntry) -> None:
        """Store a report; the same command again changes nothing."""

    async def open(self, most: int) -> Sequence[OpenEntry]:
        """Return the latest reports that nobody has settled, the latest first."""

    async def take(self, player: IdentityId, by: IdentityId) -> bool:
        """Have a moderator see to the open reports about somebody; False if another does, or if there are none."""

    async def leave(self, player: IdentityId, by: IdentityId) -> None:
        """Have a moderator no longer see to the open reports about somebody."""

    async def upheld_by(self, number: int) -> Sequence[ReportEntry]:
        """Return the reports that an entry of the log has settled as right."""

    async def tallies_of_reporters(self) -> dict[IdentityId, Tally]:
        """Return what became of the settled reports of those whose reports are open."""

    async def tallies_of_reported(self) -> dict[IdentityId, Tally]:
        """Return what became of the settled reports about those who are reported now."""

    async def tally_about(self, player: IdentityId) -> Tally:
        """Return what became of the settled reports about somebody."""

    async def forget(self, identity: IdentityId, nobody: Player) -> None:
        """Put `nobody` to the reports by and about somebody, who sees to none any more."""
