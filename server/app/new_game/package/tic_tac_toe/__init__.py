"""Tic-tac-toe: each player in turn puts a piece on an empty square; three of one's own in a row win.

A full board without a row is a draw.
"""

from millrace.engine.game import DrawingFunctions, Game, PositionEditor, Rules, Texts

from . import notation
from .rules import KERNELS, Position

GAME = Game(
    name="tic_tac_toe",
    title="Tic-tac-toe",
    seats=(2,),
    seat_names=("White", "Black"),
    rules=Rules(
        kernels=KERNELS,
        position_type=Position,
        position_words=len(Position._fields),
        # In the order of the numbers that `outcome` returns.
        end_reasons={"row": "three pieces stand in a row", "full": "the board is full"},
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
    description="Put three pieces in a row before your opponent does.",
    showcase="x.o.x.... o",
)
