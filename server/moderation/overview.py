"""Lists of a server for the command line: its accounts, and statistics.

An interface only; `server.storage` implements it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import IdentityId, Role

from ..players.accounts.restriction_store import Restriction


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
    """Which accounts to list. By default, all."""

    name: str = ""
    """The start of the name."""
    role: Role | None = None
    has_role: bool = False
    is_muted: bool = False
    is_banned: bool = False


class Statistics(NamedTuple):
    """Counts of stored data."""

    accounts: int
    bots: int
    banned: int
    muted: int
    matches: int
    live: int
    """Matches being played."""
    waiting: int
    """Matches waiting for players."""
    rated: int
    """Finished matches that were created as rated."""
    void: int
    reports_open: int
    storage_bytes: int
    by_day: Sequence[tuple[str, Mapping[str, int]]]
    """For each of the latest days, such as `2026-11-21`, the matches started, by game. Newest first."""


class Overview(Protocol):
    """Reads lists and statistics. Every method raises StorageError."""

    async def accounts(self, wanted: AccountFilter, now_ms: int, limit: int) -> Sequence[AccountLine]:
        """Return accounts, by name."""

    async def statistics(self, now_ms: int, days: int) -> Statistics:
        """Return statistics, with the matches of the latest days."""

    async def close(self) -> None:
        """Close the database."""
