"""The named pastures (3.1): each laid from rhombic tiles of four cells, four tiles a seat.

Those for two and for four seats look the same after half a turn, those for three after a third.

In a drawing every `O` is a cell, and each row is shifted half a cell against the next.
"""

from types import MappingProxyType
from typing import NamedTuple

from .pasture import Coordinate
from .random_pasture import moved_to_origin


class NamedPasture(NamedTuple):
    """A pasture of the catalogue."""

    name: str
    """In set-up texts, as `pasture=NAME`."""
    seats: int
    drawing: str


def cells_of(pasture: NamedPasture) -> frozenset[Coordinate]:
    """Return the cells of a drawing in the axial array, first row and first column 0."""
    marks = [
        (row, (place + row) // 2)
        for row, line in enumerate(pasture.drawing.splitlines())
        for place, mark in enumerate(line)
        if mark == "O"
    ]
    return moved_to_origin(frozenset(marks))


def standard_pasture(seats: int) -> NamedPasture:
    """Return the default pasture for a number of seats."""
    return next(pasture for pasture in NAMED_PASTURES.values() if pasture.seats == seats)


_FOR_TWO = (
    NamedPasture(
        "meadow",
        2,
        """
   O O
  O O O O
 O O O O O
O O O O O
 O O O O O
O O O O O
 O O O O
    O O
""",
    ),
    NamedPasture(
        "pond",
        2,
        """
    O O O O O
   O O O O O O
  O O   O O O
 O O O   O O
O O O O O O
 O O O O O
""",
    ),
    NamedPasture(
        "spectacles",
        2,
        """
       O O
    O O O O
 O O O   O O O
O O O O O O O O
 O O O   O O O
    O O O O
     O O
""",
    ),
    NamedPasture(
        "ravine",
        2,
        """
        O
   O O O O
O O O O O
 O O   O O
  O O   O O
   O O   O O
    O O O O O
   O O O O
    O
""",
    ),
    NamedPasture(
        "lake",
        2,
        """
  O O
   O O O
  O O O O
 O O O O
O O     O
 O     O O
  O O O O
 O O O O
  O O O
     O O
""",
    ),
    NamedPasture(
        "star",
        2,
        """
      O
     O O
    O O O O
   O O O O O O
O O O     O O O
 O O O O O O
    O O O O
       O O
        O
""",
    ),
    NamedPasture(
        "windmill",
        2,
        """
      O O O O
 O O O O   O O
O O O O     O O
   O O     O O O O
    O O   O O O O
     O O O O
""",
    ),
)
_FOR_THREE = (
    NamedPasture(
        "commons",
        3,
        """
     O O O O
O O O O O O O O
 O O O O O O O
O O O O O O O
 O O O O O O O
  O O O O O O
   O O O O O
      O O O
       O
""",
    ),
    NamedPasture(
        "snowflake",
        3,
        """
       O O
  O O O O O
 O O O O O O O
  O O O O O O O
 O O O   O O O
O O O O O O O
 O O O O O O O
    O O O O O
     O O
""",
    ),
    NamedPasture(
        "wreath",
        3,
        """
    O O   O O
   O O O O O O
    O O O O O
 O O O     O O O
O O O       O O O
 O O O     O O O
    O O O O O
   O O O O O O
    O O   O O
""",
    ),
    NamedPasture(
        "clover",
        3,
        """
   O O   O
  O O O O O
 O O O O O O O
  O O O   O O O
 O O     O O O O
O O O O   O O O
   O O O O O
  O O O O O O
   O O O
""",
    ),
    NamedPasture(
        "propeller",
        3,
        """
   O O
    O O
 O O O
O O O O O     O
     O O O   O O
    O O O O O O
   O O O O O O O O
    O O O O   O O
 O O O
O O O O
 O   O O
""",
    ),
    NamedPasture(
        "three-ponds",
        3,
        """
      O
     O O   O O
    O O O O O
   O O O O O O
O O O   O   O O
 O O O O O O O O
    O O   O O O O
   O O O O O
  O O O O O O
           O
""",
    ),
    NamedPasture(
        "wheel",
        3,
        """
            O
   O O     O O
    O O O O O
     O O O O O
    O O     O O O O
 O O O       O O O
O O O O     O O
     O O O O O
      O O O O O
     O O     O O
      O
""",
    ),
)
_FOR_FOUR = (
    NamedPasture(
        "heath",
        4,
        """
           O
          O O O O
       O O O O O O
      O O O O O O O
 O O O O O O O O O
O O O O O O O O O O
 O O O O O O O O O
O O O O O O O
 O O O O O O
  O O O O
       O
""",
    ),
    NamedPasture(
        "millpond",
        4,
        """
          O O O
     O O O O O O
  O O O O O O O O
   O O O O O O O O
  O O O O   O O O
 O O O   O O O O
O O O O O O O O
 O O O O O O O O
  O O O O O O
   O O O
""",
    ),
    NamedPasture(
        "dunes",
        4,
        """
   O O O     O
  O O O O O O O O O O
 O O O O O O O O O O O O
O O O O O O   O O O O O O
 O O O O O O O O O O O O
    O O O O O O O O O O
           O     O O O
""",
    ),
    NamedPasture(
        "lagoon",
        4,
        """
       O O
      O O O O O O O O
     O O O O O O O O O
    O O O O   O O
     O O     O O
      O O     O
       O     O O
      O O     O O
     O O   O O O O
O O O O O O O O O
 O O O O O O O O
            O O
""",
    ),
    NamedPasture(
        "isthmus",
        4,
        """
    O O
   O O O
    O O O
 O O O O O
O O O O O O
 O O O O O
  O O O O
   O   O O
    O   O
   O O   O
    O O O O
   O O O O O
  O O O O O O
   O O O O O
    O O O
     O O O
      O O
""",
    ),
    NamedPasture(
        "creeks",
        4,
        """
      O O O O
     O O O O O O O O
    O O O O O O O O O
   O O O O O O O O
  O O   O   O   O O
   O O O O O O O O
O O O O O O O O O
 O O O O O O O O
        O O O O
""",
    ),
    NamedPasture(
        "skerries",
        4,
        """
           O O
            O O
         O O O
        O O O O
       O O   O
      O O O O
           O O
O O   O O O O O O O O O O
 O O O O O O O O O O   O O
            O O
             O O O O
            O   O O
           O O O O
            O O O
           O O
            O O
""",
    ),
)
NAMED_PASTURES = MappingProxyType({pasture.name: pasture for pasture in (*_FOR_TWO, *_FOR_THREE, *_FOR_FOUR)})
