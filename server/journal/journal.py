"""The journal, which stores the events of every match: the interface.

`server.storage` implements it in a database.

No event is sent or shown before the future of `append` is done: a committed event survives a crash, and an event that
was not committed never happened.
"""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple, Protocol

from millrace.protocol import CommandId, Event, IdentityId, MatchId

from .inbox import InboxChange
from .ratings import RatingUpdates

NO_SEAT = -1


class StorageError(Exception):
    """The database could not be read or written.

    An append that raises it may have been stored: load the match before deciding anything more about it.
    """


class FencedError(StorageError):
    """Nothing was stored, because the lease under which it was to be stored has another holder now."""


class Fence(NamedTuple):
    """The lease under which something is done (`server.cluster.leases`), for the database to check."""

    lease: str
    """Its name."""
    number: int = 0
    """One more with each new holder; 0 on a server that is alone, where nothing is checked."""


class Entry(NamedTuple):
    """An event to be stored."""

    event: Event
    at_ms: int
    seat: int = NO_SEAT
    """The seat whose command led to it; it is remembered with `command_id` as long as the match exists."""
    command_id: CommandId | None = None


class Recorded(NamedTuple):
    """A stored event."""

    seq: int
    entry: Entry


class Origin(NamedTuple):
    """The command that created a match. No two matches share one, so a repeated command creates no second match."""

    by: str
    """The identity that created it, or the match it is a rematch of."""
    command_id: CommandId


class Finish(NamedTuple):
    """What is stored with the end of a match, so that the archive finds it (`server.matches.finish`)."""

    game: str
    rated: bool
    plies: int
    termination: str
    """The reason in the `Ended` event."""
    result: str
    """`decided`, `drawn` or `none`."""
    archived_ms: int | None
    """When it ended. None if the archive must not find it."""
    seats: tuple["SeatFinish", ...]
    """The first seat of each player."""


class SeatFinish(NamedTuple):
    """What is stored of a seat with the end of a match."""

    seat: int
    rank: int | None
    result: str
    """`won`, `drawn`, `lost` or `none`."""


class Journal(Protocol):
    """The stored events of every match. Every method raises StorageError."""

    def append(
        self,
        match: MatchId,
        expected_seq: int,
        entries: Sequence[Entry],
        origin: Origin | None = None,
        ratings: RatingUpdates | None = None,
        finish: Finish | None = None,
        paired: Sequence[Origin] = (),
        inbox: Sequence[InboxChange] = (),
        fence: Fence | None = None,
        searches: Sequence[Origin] = (),
    ) -> asyncio.Future[bool]:
        """Store entries as events `expected_seq + 1` and on, all or none; the future is done once they are durable.

        The entries are written even if the caller is cancelled, and nobody has to await the future. Its result is
        False, with nothing stored, unless `expected_seq` is the match's last event, or if it has an event of the same
        seat and command id, or if another match has this origin. `origin` is given with the first event and only then,
        `finish` with the `Ended` event.
        Stored in the same transaction are `ratings` (nothing is stored if a rating has changed since it was read),
        `paired`, the commands by which players asked for this match, and `inbox`, what follows for notifications.
        `searches` are those for a quick pairing that end by it; nothing is stored if one is no longer stored itself.
        With a `fence` it raises a FencedError, with nothing stored, once the lease has another holder.
        """

    async def load(self, match: MatchId, since: int = 0) -> tuple[Recorded, ...]:
        """Return a match's events after `since` in order; empty if there are none."""

    async def last_seqs(self, matches: Collection[MatchId]) -> Mapping[MatchId, int]:
        """Return the number of the last event of each of these matches."""

    async def find_created(self, origin: Origin) -> MatchId | None:
        """Return the match of that origin."""

    async def find_paired(self, asked: Origin) -> MatchId | None:
        """Return the match that a player's command led to by quick pairing."""

    async def unfinished(self) -> tuple[MatchId, ...]:
        """Return the matches that have no `Ended` event yet."""

    async def ended_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches that have ended since a moment."""

    async def rematches_answered_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches whose players have offered or declined a rematch since a moment, which has not started."""

    async def matches_of(self, identity: IdentityId, *, unfinished: bool = False) -> tuple[MatchId, ...]:
        """Return the matches in which a player has a seat, the latest first; with `unfinished` only those not over."""

    async def beat(self, node: str, now_ms: int) -> None:
        """Note that this server node is alive."""

    async def last_beat_ms(self) -> int | None:
        """Return when any node last noted that it was alive, or None."""

    async def close(self) -> None:
        """Write what is pending and close the database."""
