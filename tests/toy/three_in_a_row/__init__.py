"""Three in a row: a small game for two or three seats, not shipped with Millrace, as in a plug-in.

On four by four squares the seats put one stone each in turn. Three own stones in a row, in whatever direction, win; a
full board without one is shared.
"""

from millrace.engine.game import DrawingFunctions, Game, NamedOpening, PositionEditor, Rules, Texts

from . import notation
from .kernels import KERNELS, ThreePosition

GAME = Game(
    name="three_in_a_row",
    title="Three in a Row",
    seats=(2, 3),
    seat_names=("Crosses", "Rings", "Wedges"),
    rules=Rules(
        kernels=KERNELS,
        position_type=ThreePosition,
        position_words=3,
        end_reasons={"row": "three stones stand in a row", "full": "the board is full"},
    ),
    drawing=DrawingFunctions(
        geometry=notation.geometry,
        draw=notation.draw,
        editor=PositionEditor(notation.compose),
    ),
    texts=Texts(
        parse_setup=notation.parse_setup,
        format_position=notation.format_position,
        parse_move=notation.parse_move,
        format_move=notation.format_move,
    ),
    named_openings=(NamedOpening("Corner", ("a1",)),),
    description="Put three stones in a row before anyone else does.",
    showcase="x.o..xo..x....o. x 2",
)
