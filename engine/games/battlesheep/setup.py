"""The starts of Battle Sheep: named pastures, seeds, and position texts with all their checks (3.1, 3.9)."""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from ...game import SetupError, Start
from .legacy_text import is_legacy_text, read_legacy_text
from .named_pastures import NAMED_PASTURES, cells_of, standard_pasture
from .notation import EMPTY_CELL, NO_CELL, SEAT_LETTERS
from .pasture import FACTS, MOST_CELLS, OUTER_EDGE, Coordinate, build_board, joined
from .position import SHEEP
from .random_pasture import lay_pasture

SEATS = (2, 3, 4)
MOST_ROWS = 64
"""Maximum rows and columns of the axial array of a text."""

_STACK_PATTERN = re.compile(r"([rbgy])([1-9]|1[0-6])")


class Stack(NamedTuple):
    """An occupied cell of a text."""

    seat: int
    size: int


def parse_setup(text: str) -> Start:
    """Parse `pasture=NAME`, `seed=N seats=K`, `seats=K`, a position text (3.9) or an older text; the default is two
    seats. Raises: SetupError."""
    if is_legacy_text(text):
        text = read_legacy_text(text)
    fields = text.split()
    if any("=" in field for field in fields) or not fields:
        return _start_of_options(_parse_options(fields))
    if len(fields) != 3:
        raise SetupError("A position has the rows of the pasture, the seat to move and the number of seats.")
    rows, letter, seats = fields
    if seats not in map(str, SEATS):
        raise SetupError(f"There must be 2, 3 or 4 seats, not {seats!r}.")
    if letter not in SEAT_LETTERS[: int(seats)] or len(letter) != 1:
        raise SetupError(f"The seat to move must be one of {', '.join(SEAT_LETTERS[: int(seats)])}, not {letter!r}.")
    texts = [row.split(",") for row in rows.split("/")]
    stacks = _parse_rows(texts)
    _check_pasture(frozenset(stacks))
    return _start_of(stacks, (len(texts), len(texts[0])), SEAT_LETTERS.index(letter), int(seats))


def _parse_options(fields: Sequence[str]) -> Mapping[str, str]:
    options: dict[str, str] = {}
    for field in fields:
        name, _, value = field.partition("=")
        if name not in ("pasture", "seed", "seats"):
            raise SetupError(f"The options are pasture=NAME, or seed=NUMBER, and seats=2, 3 or 4, not {field!r}.")
        if name in options:
            raise SetupError(f"The option {name} is given twice.")
        options[name] = value
    if options.get("seats", "2") not in map(str, SEATS):
        raise SetupError(f"There must be 2, 3 or 4 seats, not {options['seats']!r}.")
    return options


def _start_of_options(options: Mapping[str, str]) -> Start:
    if "pasture" in options and "seed" in options:
        raise SetupError("A pasture is either named or laid from a seed, not both.")
    seats = int(options.get("seats", "2"))
    if "seed" in options:
        seed = options["seed"]
        if re.fullmatch(r"[0-9]{1,10}", seed) is None:
            raise SetupError(f"A seed is a number of at most ten digits, not {seed!r}.")
        return start_on(lay_pasture(int(seed), seats), seats)
    pasture = NAMED_PASTURES.get(options["pasture"]) if "pasture" in options else standard_pasture(seats)
    if pasture is None:
        raise SetupError(f"There is no pasture called {options['pasture']!r}; there are: {', '.join(NAMED_PASTURES)}.")
    if "seats" in options and pasture.seats != seats:
        raise SetupError(f"The pasture {pasture.name} is for {pasture.seats} seats, not {seats}.")
    return start_on(cells_of(pasture), pasture.seats)


def start_on(cells: frozenset[Coordinate], seats: int) -> Start:
    """Return the start of a match on an empty pasture with first row and column 0."""
    rows, columns = max(row for row, _ in cells) + 1, max(column for _, column in cells) + 1
    return _start_of(dict.fromkeys(cells), (rows, columns), 0, seats)


def _start_of(stacks: Mapping[Coordinate, Stack | None], extent: Coordinate, seat: int, seats: int) -> Start:
    """Return the start with these stacks on the cells of a pasture. Raises: SetupError."""
    cells = frozenset(stacks)
    standing = {cell: stack for cell, stack in stacks.items() if stack is not None}
    _check_sheep(standing, seats)
    board = build_board(cells, extent, seats)
    number = {cell: index for index, cell in enumerate(sorted(cells))}
    words = [0] * 8
    for cell, stack in standing.items():
        words[(stack.seat - seat) % seats] |= 1 << number[cell]
        for bit in range(4):
            words[4 + bit] |= (stack.size - 1 >> bit & 1) << number[cell]
    unplaced = words[:seats].count(0)
    places = (int(board.tables[FACTS, OUTER_EDGE]) & ~sum(words[:4])).bit_count()
    if places < unplaced:
        raise SetupError(f"The outer edge has {places} empty cells, too few for the {unplaced} seats yet to place.")
    return Start(board, np.array(words, dtype=np.uint64), seat, seats, 0)


def _parse_rows(rows: Sequence[Sequence[str]]) -> dict[Coordinate, Stack | None]:
    """Return the stack on each cell of the pasture. Raises: SetupError."""
    if len(rows) > MOST_ROWS or len(rows[0]) > MOST_ROWS:
        raise SetupError(f"The pasture is wider or higher than {MOST_ROWS} cells.")
    stacks: dict[Coordinate, Stack | None] = {}
    for row, texts in enumerate(rows):
        if len(texts) != len(rows[0]):
            raise SetupError(f"Row {row + 1} has {len(texts)} cells, but row 1 has {len(rows[0])}.")
        for column, text in enumerate(texts):
            if text == NO_CELL:
                continue
            match = _STACK_PATTERN.fullmatch(text)
            if match is None and text != EMPTY_CELL:
                raise SetupError(f"A cell is '.', '0', or a stack like r16 of at most {SHEEP} sheep, not {text!r}.")
            stacks[row, column] = Stack(SEAT_LETTERS.index(match[1]), int(match[2])) if match else None
    return stacks


def _check_pasture(cells: frozenset[Coordinate]) -> None:
    if not cells:
        raise SetupError("The pasture has no cells.")
    if len(cells) > MOST_CELLS:
        raise SetupError(f"The pasture has {len(cells)} cells; at most {MOST_CELLS} are allowed.")
    if len(joined(cells, min(cells))) < len(cells):
        raise SetupError("The pasture is not connected: it must be one piece.")


def _check_sheep(standing: Mapping[Coordinate, Stack], seats: int) -> None:
    for index, letter in enumerate(SEAT_LETTERS):
        sheep = sum(stack.size for stack in standing.values() if stack.seat == index)
        if sheep and index >= seats:
            raise SetupError(f"There are sheep of {letter}, but only {seats} seats.")
        if sheep > SHEEP:
            raise SetupError(f"There are {sheep} sheep of {letter}; each seat has at most {SHEEP}.")
