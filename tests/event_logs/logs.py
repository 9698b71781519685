"""Matches as events, and what their folds are compared by."""

from collections.abc import Collection, Sequence
from typing import Any

import msgspec

from millrace.protocol import Board, Ended, MatchEvent, Rated


class Summary(msgspec.Struct, frozen=True):
    """What every fold must agree on after an event. Collections without an order are sorted."""

    seq: int
    plies: int
    last_move: str | None
    to_move: int | None
    clocks_ms: list[int | None] | None
    """What each seat had left at the event. None for a seat whose player has left: its clock is not kept up to date."""
    periods: list[int | None]
    """The periods of byo-yomi that each seat had left, likewise; empty without them."""
    players: list[str | None]
    """The id of each seat's player."""
    piles: dict[str, tuple[int, int]]
    """Seat and size, by the name of the cell."""
    reserves: list[int]
    ground: list[int] | None
    territory: list[int] | None
    tallies: list[tuple[str, list[int]]]
    """The game's counts: name, and the count of each seat."""
    cells: int
    """Of the board that is drawn."""
    departures: list[tuple[int, str, dict[str, str], str | None]]
    """Of each seat that was left, in order: the seat, the reason, the votes by seat, and the stand-in."""
    offers: list[tuple[str, int, int, list[int], int]]
    """Of each open offer: its kind, seat, ply at which it lapses, the seats that agreed, and plies taken back."""
    is_paused: bool
    result: tuple[list[int] | None, str, str, int | None] | None
    """Ranks, reason, explanation and seat."""
    rating_changes: list[tuple[int, int] | None] | None
    is_void: bool
    rematch_offers: list[int]
    rematch_declined: list[int]
    rematch: str | None


def summarize_result(ended: Ended | None) -> tuple[list[int] | None, str, str, int | None] | None:
    if ended is None:
        return None
    return None if ended.ranks is None else list(ended.ranks), ended.reason, ended.explanation, ended.seat


def summarize_changes(rated: Rated | None) -> list[tuple[int, int] | None] | None:
    if rated is None:
        return None
    return [None if change is None else (change.before, change.after) for change in rated.changes]


def summarize_clocks(clocks_ms: Sequence[int] | None, departed: Collection[int]) -> list[int | None] | None:
    if clocks_ms is None:
        return None
    return [None if seat in departed else left_ms for seat, left_ms in enumerate(clocks_ms)]


def summarize_periods(periods: Sequence[int], departed: Collection[int]) -> list[int | None]:
    return [None if seat in departed else left for seat, left in enumerate(periods)]


class Step(msgspec.Struct, frozen=True):
    """An event as the server sends it to spectators, and what the folds come to."""

    sent: MatchEvent
    position: str
    """The position as text, which only the server knows."""
    summary: Summary


class Log(msgspec.Struct, frozen=True):
    """A match."""

    name: str
    game: str
    seats: int
    board: Board
    """What a client draws before the first event."""
    steps: list[Step]
    moves: list[str]
    """The texts of all plies in the end."""


def differences(folded: Any, expected: Summary) -> dict[str, tuple[Any, Any]]:
    """Return the fields of a summary that differ, each with what was folded and what was expected."""
    found, wanted = (msgspec.json.decode(msgspec.json.encode(summary)) for summary in (folded, expected))
    return {
        name: (found.get(name), wanted.get(name))
        for name in (*wanted, *(found.keys() - wanted.keys()))
        if name not in found or name not in wanted or found[name] != wanted[name]
    }
