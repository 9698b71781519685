"""Positions set up by hand: turns the pieces on a client's board into a set-up text. Pure."""

from collections.abc import Sequence

from millrace.engine.game import Drawing, EngineError, Pile
from millrace.engine.state import State
from millrace.protocol import Change, Code, Compose
from millrace.protocol.refusal import Refusal

from ...matches.named_games import require_start


def composed(command: Compose) -> str:
    """Return the set-up text of a position. Raises: Refusal if the game has no such position."""
    start = require_start(command.game, command.setup)
    editor = start.game.drawing.editor
    if editor is None:
        raise Refusal(Code.BAD_SETUP, "Positions of this game are set up as text.")
    names = [cell.name for cell in start.geometry.cells]
    seats = start.start.seats
    piles = _piles_of(command.piles, names, seats, editor.largest_pile)
    reserves = command.reserves if editor.largest_reserve else start.drawing.reserves
    if len(reserves) != seats or max(reserves) > max(editor.largest_reserve, *start.drawing.reserves):
        raise Refusal(Code.BAD_SETUP, "These pieces in hand do not fit the game.")
    if command.to_move >= seats:
        raise Refusal(Code.BAD_SETUP, "The seat to move does not exist.")
    text = editor.compose(start.start, Drawing(piles, tuple(reserves)), command.to_move)
    try:
        return State.of(start.game, text).position_text
    except EngineError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None


def _piles_of(changes: Sequence[Change], names: Sequence[str], seats: int, largest: int) -> tuple[Pile | None, ...]:
    """Return the pile on each cell. Raises: Refusal."""
    piles: list[Pile | None] = [None] * len(names)
    for cell, seat, size in ((each.cell, each.seat, each.size) for each in changes):
        if cell not in names or not 0 <= seat < seats or not 1 <= size <= largest:
            raise Refusal(Code.BAD_SETUP, "These pieces do not fit the board.")
        piles[names.index(cell)] = Pile(seat, size)
    return tuple(piles)
