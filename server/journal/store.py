"""The journal: the stored events of every match, as the rest of the server sees it.

An interface only; `server.storage` keeps it in a database.

Nobody hears of an event before `append` has returned: what the journal has committed survives a crash, and what it has
not committed never happened.
"""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

from ..protocol import CommandId, Event, IdentityId, MatchId
from .ratings import RatingUpdates

NO_SEAT = -1


class StorageError(Exception):
    """The journal could not be read or written.

    Whether an append was stored is then open: load the match before deciding anything more about it.
    """


class Entry(NamedTuple):
    """An event to be stored."""

    event: Event
    at_ms: int
    seat: int = NO_SEAT
    """Whose command led to it; with `command_id` it is remembered for the match's life."""
    command_id: CommandId | None = None


class Recorded(NamedTuple):
    """A stored event."""

    seq: int
    entry: Entry


class Origin(NamedTuple):
    """Why a match exists; no two matches share it, so that a creation repeated makes no second match."""

    by: str
    """The identity that created it, or the match it is a rematch of."""
    command_id: CommandId


class Finish(NamedTuple):
    """What is noted of a match with its end, so that it can be found by it (`server.matches.finish`)."""

    game: str
    rated: bool
    plies: int
    termination: str
    """Of `Ended`: its reason."""
    result: str
    """`decided`, `drawn` or `none`."""
    archived_ms: int | None
    """When it ended; None if the archive is not to find it."""
    seats: tuple["SeatFinish", ...]
    """Of each of the players the first seat."""


class SeatFinish(NamedTuple):
    """What is noted of a seat with the match's end."""

    seat: int
    rank: int | None
    result: str
    """`won`, `drawn`, `lost` or `none`."""


class Journal(Protocol):
    """The stored events of every match. Every method raises StorageError."""

    async def append(
        self,
        match: MatchId,
        expected_seq: int,
        entries: Sequence[Entry],
        origin: Origin | None = None,
        ratings: RatingUpdates | None = None,
        finish: Finish | None = None,
    ) -> bool:
        """Store entries as events `expected_seq + 1` and on, all or none, and return once they are durable.

        Returns False, with nothing stored, if the match already has an event of such a number, or one of the same
        seat and command id, or if another match has this origin. `origin` comes with the first event and only then,
        `finish` with the `Ended` event.
        `ratings` are stored in the same transaction; nothing is if one of them is no longer what it was before.
        """

    async def load(self, match: MatchId) -> tuple[Recorded, ...]:
        """Return a match's events in order; empty if there is no such match."""

    async def find_created(self, origin: Origin) -> MatchId | None:
        """Return the match of that origin."""

    async def unfinished(self) -> tuple[MatchId, ...]:
        """Return the matches that have no `Ended` event yet."""

    async def ended_since(self, since_ms: int) -> tuple[MatchId, ...]:
        """Return the matches that have ended since a moment."""

    async def matches_of(self, identity: IdentityId, *, unfinished: bool = False) -> tuple[MatchId, ...]:
        """Return the matches in which somebody has a seat, the latest first; only those not over if so asked."""

    async def beat(self, node: str, now_ms: int) -> None:
        """Note that this server node is alive."""

    async def last_beat_ms(self) -> int | None:
        """Return when any node last noted that it was alive, or None."""

    async def close(self) -> None:
        """Write what is pending and let go of the database."""
