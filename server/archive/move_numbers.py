"""Checks the move numbers in a written line, which reveal missing moves or two matches in one. Pure.

Numbers are optional, and programs count in three ways: by rounds from the first ply, by the plies of the first colour,
and by plies. A line must use only one of them.
"""

from collections.abc import Sequence
from typing import NamedTuple

from millrace.engine.state import State

from .record import RecordError
from .tokenizer import Number


class _Counting(NamedTuple):
    """A way of counting that agrees with the numbers so far."""

    name: str
    offset: int | None
    """The offset to its own number; None until the first number of a line that may begin anywhere."""


class MoveNumbers:
    """The numbers of one line of moves."""

    def __init__(self, *, begins_anywhere: bool) -> None:
        """Expect the first number to match the ply, unless the line begins at its own position."""
        offset = None if begins_anywhere else 0
        self._left = [_Counting(name, offset) for name in ("rounds", "colours", "plies")]

    def check(self, numbers: Sequence[Number], before: State) -> None:
        """Check the numbers before a move. Raises: RecordError."""
        if not numbers:
            # Ply numbers have no gaps.
            self._left = [each for each in self._left if each.name != "plies"]
        for number in numbers:
            self._left = [fitting for each in self._left if (fitting := _fit(each, number, before)) is not None]
            if not self._left:
                raise RecordError(_problem(number, before), number.line, None, number.text)


def _fit(counting: _Counting, number: Number, before: State) -> _Counting | None:
    """Return a way of counting updated by a number; None if they contradict each other."""
    seats, ply = before.start.seats, before.ply
    if counting.name == "plies":
        own, is_of_later_seat = ply + 1, False
    elif counting.name == "rounds":
        own, is_of_later_seat = ply // seats + 1, ply % seats > 0
    else:
        own, is_of_later_seat = (ply + before.start.seat) // seats + 1, before.seat > 0
    if number.is_of_later_seat and not is_of_later_seat:
        return None
    if number.number is None:
        return counting
    if counting.offset is None:
        return counting._replace(offset=number.number - own)
    return counting if number.number == own + counting.offset else None


def _problem(number: Number, before: State) -> str:
    mover, ply = before.game.seat_names[before.seat], before.ply + 1
    return f"the number {number.text} does not fit ply {ply}, a move of {mover}; is a move missing, or a result?"
