"""What the command line tells of a whole server: its accounts, and counts of everything.

An interface only; `server.storage` reads it from a database.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from ..accounts.restriction_store import Restriction
from ..protocol import IdentityId, Role


class AccountLine(NamedTuple):
    """A line of the list of accounts."""

    identity: IdentityId
    name: str
    created_ms: int
    is_bot: bool
    role: Role | None
    mute: Restriction | None
    ban: Restriction | None


class AccountFilter(NamedTuple):
    """Which accounts are wanted; what is not said does not matter."""

    name: str = ""
    """The beginning of the name."""
    role: Role | None = None
    has_role: bool = False
    is_muted: bool = False
    is_closed: bool = False


class Statistics(NamedTuple):
    """Counts of what is stored."""

    accounts: int
    bots: int
    closed: int
    muted: int
    matches: int
    live: int
    """Being played."""
    waiting: int
    """For players."""
    rated: int
    """Over, and agreed to be rated."""
    void: int
    reports_open: int
    storage_bytes: int
    by_day: Sequence[tuple[str, Mapping[str, int]]]
    """For each of the latest days, `2026-11-21`, the matches begun, by game; the latest first."""


class Overview(Protocol):
    """What there is. Every method raises StorageError."""

    async def accounts(self, wanted: AccountFilter, now_ms: int, most: int) -> Sequence[AccountLine]:
        """Return accounts, by name."""

    async def statistics(self, now_ms: int, days: int) -> Statistics:
        """Return counts, those of matches by day for so many days."""

    async def close(self) -> None:
        """Let go of the database."""
