"""A position as a picture for link previews: SVG of 1200 by 630, the size that sites which show previews ask for.

It knows no game: it draws the geometry and the piles, in the colours that the page has. Pure.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

from millrace.engine.game import CellShape, Geometry, Pile
from millrace.engine.state import State

WIDTH, HEIGHT = 1200, 630
MARGIN = 28
"""The margin around the board, in pixels."""
_EDGE = {CellShape.POINTS: 0.62, CellShape.SQUARES: 0.62, CellShape.HEXES: 0.72}
"""The margin around the outermost cells, in distances between neighbours."""
_MOST_UNIT = 130
"""Maximum distance between neighbours, in pixels."""
_HEX_RADIUS = 1 / sqrt(3)
_RADIUS = 0.37
_COLOURS = ("white", "black", "red", "blue", "green", "yellow")
_PAGE, _HEX_EDGE, _HEDGE = "#f3eee4", "#7ea252", "#5f8f3f"
_HEX_TONES = ("#a9cb7c", "#9fc371", "#b3d388")


_DIGIT_WIDTH, _DIGIT_GAP = 0.6, 0.26
_DIGITS = {
    "0": "M.3 0C.5 0 .6 .2 .6 .5C.6 .8 .5 1 .3 1C.1 1 0 .8 0 .5C0 .2 .1 0 .3 0Z",
    "1": "M.1 .2L.36 0V1M.1 1H.6",
    "2": "M.03 .25C.06 .08 .17 0 .31 0C.48 0 .58 .1 .58 .27C.58 .5 .2 .72 .02 1H.6",
    "3": "M.05 .05C.4 -.08 .58 .06 .56 .24C.55 .4 .42 .47 .25 .47C.44 .47 .6 .56 .6 .73C.6 .98 .32 1.08 .02 .93",
    "4": "M.42 1V0L0 .7H.6",
    "5": "M.54 0H.1L.06 .44C.4 .32 .6 .46 .6 .69C.6 .98 .3 1.08 .02 .92",
    "6": "M.5 .03C.2 .08 0 .35 0 .65C0 .88 .12 1 .3 1C.48 1 .6 .88 .6 .69C.6 .5 .47 .4 .31 .4C.16 .4 .04 .5 0 .65",
    "7": "M0 0H.6L.2 1",
    "8": (
        "M.3 .47C.1 .47 .04 .36 .04 .24C.04 .1 .14 0 .3 0C.46 0 .56 .1 .56 .24C.56 .36 .5 .47 .3 .47"
        "C.08 .47 0 .6 0 .73C0 .9 .12 1 .3 1C.48 1 .6 .9 .6 .73C.6 .6 .52 .47 .3 .47Z"
    ),
    "9": "M.1 .97C.4 .92 .6 .65 .6 .35C.6 .12 .48 0 .3 0C.12 0 0 .12 0 .31C0 .5 .13 .6 .29 .6C.44 .6 .56 .5 .6 .35",
}
"""Each digit as a path in a box 0.6 wide and 1 high, for a round pen: a server may have no font."""


class _Paint(NamedTuple):
    """The look of a colour's pieces."""

    light: str
    dark: str
    rim: str
    ink: str
    """The colour of the number on a stack."""


_PAINTS: Mapping[str, _Paint] = {
    "white": _Paint("#fffefa", "#d9cdb6", "#8d8068", "#2a2520"),
    "black": _Paint("#5a514b", "#14110f", "#0d0b0a", "#f6efe2"),
    "red": _Paint("#e2604c", "#9c2417", "#6d160d", "#ffffff"),
    "blue": _Paint("#5f97e0", "#1f4c96", "#143466", "#ffffff"),
    "green": _Paint("#3f9c6d", "#0f5134", "#0a3925", "#ffffff"),
    "yellow": _Paint("#ffe07a", "#d69a12", "#96690a", "#3c2a00"),
}


def _fleece(tufts: int, across: float, down: float, radius: float) -> str:
    """Return the path of tufts around an oval, as in `client/web/board/sheep.js`."""
    angles = [2 * pi * tuft / tufts for tuft in range(tufts + 1)]
    points = [f"{across * cos(angle):.3f} {down * sin(angle):.3f}" for angle in angles]
    return "M" + f"A{radius} {radius} 0 0 1 ".join(points) + "Z"


_WOOL = 'stroke="#8f8777" stroke-width=".022"'
_FLEECE, _CAP = _fleece(12, 0.29, 0.23, 0.09), _fleece(5, 0.07, 0.045, 0.05)
_SHEEP = (
    '<ellipse cx=".04" cy=".29" rx=".34" ry=".075" fill="#1e0f05" fill-opacity=".34"/>{flock}'
    '<path d="M-.12 .15V.29M-.03 .15V.3M.16 .15V.29M.25 .12V.28" stroke="#3b302a" stroke-width=".06"/>'
    f'<path d="{_FLEECE}" transform="translate(.05 -.03)" fill="#fffdf6" {_WOOL}/>'
    '<path d="M-.27-.22C-.38-.22-.44-.07-.42 .04C-.41 .1-.33 .11-.29 .05C-.22-.02-.18-.22-.27-.22Z" fill="#3b302a"/>'
    '<path d="M-.27 .08C-.2 .06-.16-.03-.16-.12" fill="none" stroke="url(#{colour})" stroke-width=".1"/>'
    f'<path d="{_CAP}" transform="translate(-.27 -.22)" fill="#fffdf6" {_WOOL}/>'
    '<circle cx=".09" cy="-.02" r=".19" fill="url(#{colour})"/>'
)
_FLOCK = f'<path d="{_FLEECE}" transform="translate(.11 -.13)" fill="#e6dfd0" {_WOOL}/>'
"""The second sheep of a stack, behind the first."""


def draw_position(state: State) -> str:
    """Return the picture of a position."""
    geometry, drawing = state.geometry, state.drawing
    frame = _Frame.around(geometry)
    seat_names = state.game.seat_names
    parts = [
        *_draw_ground(geometry, frame, drawing.ground),
        *(
            _draw_pile(pile, cell.x, cell.y, seat_colour(seat_names, pile.seat), geometry.shape)
            for cell, pile in zip(geometry.cells, drawing.piles, strict=True)
            if pile is not None
        ),
    ]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f'<defs>{_gradients()}</defs><rect width="{WIDTH}" height="{HEIGHT}" fill="{_PAGE}"/>'
        f'<g transform="{frame.transform}">{"".join(parts)}</g></svg>'
    )


def seat_colour(seat_names: Sequence[str], seat: int) -> str:
    """Return the colour of a seat: the one in its name, or else one of the remaining ones.

    As in `client/web/board/seat_colours.js`.

    >>> seat_colour(("White", "Black"), 1), seat_colour(("Red", "Seat 2"), 1)
    ('black', 'black')
    """
    names = [name.lower() for name in seat_names]
    if seat < len(names) and names[seat] in _COLOURS:
        return names[seat]
    left = [colour for colour in _COLOURS if colour not in names] or list(_COLOURS)
    return left[seat % len(left)]


class _Frame(NamedTuple):
    """The visible part of the plane, and its size in the picture."""

    left: float
    top: float
    width: float
    height: float
    unit: float
    """Pixels between neighbours."""

    @classmethod
    def around(cls, geometry: Geometry) -> "_Frame":
        """Return the frame of a board."""
        edge = _EDGE[geometry.shape]
        columns, rows = [cell.x for cell in geometry.cells], [cell.y for cell in geometry.cells]
        width, height = max(columns) - min(columns) + 2 * edge, max(rows) - min(rows) + 2 * edge
        unit = min((WIDTH - 2 * MARGIN) / width, (HEIGHT - 2 * MARGIN) / height, _MOST_UNIT)
        return cls(min(columns) - edge, min(rows) - edge, width, height, unit)

    @property
    def transform(self) -> str:
        """Convert from the board's plane to the picture."""
        x = WIDTH / 2 - (self.left + self.width / 2) * self.unit
        y = HEIGHT / 2 - (self.top + self.height / 2) * self.unit
        return f"translate({x:.2f} {y:.2f}) scale({self.unit:.3f})"


def _gradients() -> str:
    stops = '<stop offset="0" stop-color="{}"/><stop offset="1" stop-color="{}"/>'
    man = '<radialGradient id="{}" cx=".38" cy=".32" r=".75">' + stops + "</radialGradient>"
    men = (man.format(name, paint.light, paint.dark) for name, paint in _PAINTS.items())
    plate = (
        f'<linearGradient id="plate" x1="0" y1="0" x2="1" y2="1">{stops.format("#efd2a1", "#d9ae70")}</linearGradient>'
    )
    return "".join([*men, plate])


def _draw_ground(geometry: Geometry, frame: _Frame, ground: Sequence[bool] | None) -> Iterator[str]:
    if geometry.shape is CellShape.HEXES:
        yield from _draw_hexes(geometry, ground)
        return
    place = f'x="{frame.left:.3f}" y="{frame.top:.3f}" width="{frame.width:.3f}" height="{frame.height:.3f}"'
    yield f'<rect {place} rx=".16" fill="url(#plate)" stroke="#cf9f63" stroke-width=".2"/>'
    yield from _draw_points(geometry) if geometry.shape is CellShape.POINTS else _draw_squares(geometry)


def _draw_points(geometry: Geometry) -> Iterator[str]:
    cells = geometry.cells
    ends = ((cells[one], cells[other]) for one, other in geometry.lines)
    path = "".join(f"M{start.x:g} {start.y:g}L{end.x:g} {end.y:g}" for start, end in ends)
    yield f'<path d="{path}" fill="none" stroke="#6d4524" stroke-width=".05" stroke-linecap="round"/>'
    for cell in cells:
        yield f'<circle cx="{cell.x:g}" cy="{cell.y:g}" r=".095" fill="#6d4524"/>'


def _draw_squares(geometry: Geometry) -> Iterator[str]:
    for cell in geometry.cells:
        tone = "#ddb983" if round(abs(cell.x) + abs(cell.y)) % 2 else "#edd5ab"
        place = f'x="{cell.x - 0.5:g}" y="{cell.y - 0.5:g}"'
        yield f'<rect {place} width="1" height="1" fill="{tone}" stroke="#b98a4e" stroke-width=".012"/>'


def _draw_hexes(geometry: Geometry, ground: Sequence[bool] | None) -> Iterator[str]:
    first = _neighbour_angle(geometry) + pi / 6
    angles = [first + corner * pi / 3 for corner in range(6)]
    laid = [cell for index, cell in enumerate(geometry.cells) if ground is None or ground[index]]
    outlines = [
        "M" + "L".join(f"{cell.x + _HEX_RADIUS * cos(a):.3f} {cell.y + _HEX_RADIUS * sin(a):.3f}" for a in angles) + "Z"
        for cell in laid
    ]
    rim = f'fill="{_HEDGE}" stroke="{_HEDGE}" stroke-width=".2" stroke-linecap="round" stroke-dasharray="0 .1925"'
    yield f'<path d="{"".join(outlines)}" {rim}/>'
    for index, outline in enumerate(outlines):
        tone = _HEX_TONES[index * 7 % 3]
        yield f'<path d="{outline}" fill="{tone}" stroke="{_HEX_EDGE}" stroke-width=".035"/>'


def _neighbour_angle(geometry: Geometry) -> float:
    for cell in geometry.cells:
        for other in geometry.cells:
            if abs(hypot(cell.x - other.x, cell.y - other.y) - 1) < 0.01:
                return atan2(other.y - cell.y, other.x - cell.x)
    return 0.0


def _draw_pile(pile: Pile, x: float, y: float, colour: str, shape: CellShape) -> str:
    paint = _PAINTS[colour]
    number = ""
    if pile.size > 1:
        pen = f'fill="none" stroke="{paint.ink}" stroke-width=".16" stroke-linecap="round" stroke-linejoin="round"'
        number = f"<g {pen}>{draw_number(pile.size, 0.28)}</g>"
    if shape is CellShape.HEXES:
        sheep = _SHEEP.format(colour=colour, flock=_FLOCK if pile.size > 1 else "")
        number = f'<g transform="translate(.09 -.02) scale(.8)">{number}</g>'
        return f'<g transform="translate({x:g} {y:g})">{sheep}{number}</g>'
    return (
        f'<g transform="translate({x:g} {y:g})">'
        f'<ellipse cx=".015" cy=".05" rx="{_RADIUS}" ry="{_RADIUS}" fill="#1e0f05" fill-opacity=".34"/>'
        f'<circle r="{_RADIUS}" fill="url(#{colour})" stroke="{paint.rim}" stroke-width=".025"/>{number}</g>'
    )


def draw_number(number: int, height: float) -> str:
    """Return a number, centred on the origin, as SVG paths without a style."""
    digits = str(number)
    width = len(digits) * _DIGIT_WIDTH + (len(digits) - 1) * _DIGIT_GAP
    paths = [
        f'<path d="{_DIGITS[digit]}" transform="translate({index * (_DIGIT_WIDTH + _DIGIT_GAP) - width / 2:.3f} -.5)"/>'
        for index, digit in enumerate(digits)
    ]
    return f'<g transform="scale({height:.3f})">{"".join(paths)}</g>'
