"""The characters with which boards are drawn: several sets, and how seats are told apart in each. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

COLOURS = ("white", "black", "red", "blue", "green", "yellow")
"""The colours of seats. A seat that is named after one has it; other seats get the remaining ones in order."""


class Glyphs(NamedTuple):
    """A set of characters."""

    name: str
    title: str
    pieces: Mapping[str, str]
    """The piece of each colour; empty to use the letters of the seats."""
    territory: Mapping[str, str]
    """A cell that the seat of a colour owns; empty to use small letters."""
    empty: str
    """An empty cell where no lines meet."""
    lines: Mapping[str, str]
    """The character for each direction: `-`, `|`, `/` and the backslash."""
    junctions: Mapping[str, str]
    """The character for an empty point by the directions of its lines, out of `NESW`; `empty` for all others."""
    has_colours: bool
    """Whether colours, and not only shapes, say whose a piece is."""
    large_piece: str = ""
    """Three characters for a piece where there is room, so that it is easy to see; empty to draw it like the others."""
    largest_piece: tuple[str, ...] = ("*",)
    """The lines of a piece where there is room for several; `*` stands for its symbol."""
    is_light: bool = False
    """Whether the screen around the board is light."""


_PLAIN_LINES = {"-": "-", "|": "|", "/": "/", "\\": "\\"}
_BOX_LINES = {"-": "─", "|": "│", "/": "\N{BOX DRAWINGS LIGHT DIAGONAL UPPER RIGHT TO LOWER LEFT}", "\\": "╲"}
_BOX_JUNCTIONS = {
    "ES": "┌", "SW": "┐", "NE": "└", "NW": "┘", "ESW": "┬", "NEW": "┴", "NES": "├", "NSW": "┤", "NESW": "┼",
    "EW": "─", "NS": "│",
}  # fmt: skip

ASCII = Glyphs(
    "ascii",
    "letters, for any terminal",
    {},
    {},
    ".",
    _PLAIN_LINES,
    {},
    has_colours=False,
    largest_piece=(" .-. ", "( * )", " '-' "),
)
COLOUR = Glyphs(
    "colour",
    "coloured pieces",
    dict.fromkeys(COLOURS, "●"),
    dict.fromkeys(COLOURS, "▪"),
    "·",
    _BOX_LINES,
    _BOX_JUNCTIONS,
    has_colours=True,
    large_piece="▐█▌",
    largest_piece=("▗▄▄▄▖", "▐███▌", "▝▀▀▀▘"),
)
LIGHT = COLOUR._replace(name="light", title="coloured pieces on a light screen", is_light=True)
CONTRAST = Glyphs(
    "contrast",
    "a shape for each seat, light on dark",
    dict(zip(COLOURS, "●○■□▲△", strict=True)),
    dict(zip(COLOURS, "▪▫◆◇▴▵", strict=True)),
    "·",
    _BOX_LINES,
    _BOX_JUNCTIONS,
    has_colours=False,
    largest_piece=("╭───╮", "│ * │", "╰───╯"),
)
GLYPH_SETS: Mapping[str, Glyphs] = {glyphs.name: glyphs for glyphs in (COLOUR, LIGHT, ASCII, CONTRAST)}
"""All sets, by name."""


def symbols_of(seat_names: Sequence[str], glyphs: Glyphs) -> tuple[str, ...]:
    """Return the piece of each seat. Letters are the first ones of the seats' names if these differ.

    >>> symbols_of(["White", "Black"], ASCII), symbols_of(["Blue", "Black"], ASCII)
    (('W', 'B'), ('A', 'B'))
    """
    if glyphs.pieces:
        return tuple(glyphs.pieces[colour] for colour in colours_of(seat_names))
    letters = tuple(name[0].upper() for name in seat_names)
    return letters if len(set(letters)) == len(letters) else tuple("ABCD"[: len(letters)])


def territory_of(seat_names: Sequence[str], glyphs: Glyphs) -> tuple[str, ...]:
    """Return what is drawn on the empty cells that each seat owns."""
    if glyphs.territory:
        return tuple(glyphs.territory[colour] for colour in colours_of(seat_names))
    return tuple(symbol.lower() for symbol in symbols_of(seat_names, glyphs))


def colours_of(seat_names: Sequence[str]) -> tuple[str, ...]:
    """Return the colour of each seat, one of `COLOURS`.

    >>> colours_of(["White", "Black"]), colours_of(["North", "South", "Red"])
    (('white', 'black'), ('white', 'black', 'red'))
    """
    names = [name.lower() for name in seat_names]
    left = iter([colour for colour in COLOURS if colour not in names])
    return tuple(name if name in COLOURS else next(left) for name in names)
