"""The values that the journal stores. Pure."""

from typing import NamedTuple

from millrace.protocol import CommandId, Event

NO_SEAT = -1


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
