"""Formats a seat of an open board as a line. Pure."""

from .boards.open_board import Seat
from .formatting import format_face


def seat_line(seat: Seat, symbol: str) -> str:
    """Return a seat as a line: whether it is to move, its piece, its player, its clock and what it has."""
    line = f"{'>' if seat.is_to_move else ' '} {symbol}  {seat.name}"
    if seat.clock is not None:
        line += f"  {format_face(seat.clock)}"
    if seat.reserve:
        line += f"  ({seat.reserve} in hand)"
    line += "".join(f"  {name} {count}" for name, count in seat.counts)
    return line + "".join(f"  {note}" for note in seat.notes)
