"""Moves by their text, refused with a code that says what is wrong.

Pure.
"""

from millrace.engine.game import IllegalMoveError, MoveSyntaxError, RepetitionError
from millrace.engine.state import State
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal


def play_text(state: State, move: str) -> State:
    """Return the position after the move of that text. Raises: Refusal if it is not a legal move."""
    try:
        return state.play(state.parse_move(move))
    except MoveSyntaxError as error:
        raise Refusal(Code.BAD_MOVE, str(error)) from None
    except RepetitionError as error:
        raise Refusal(Code.REPETITION_REFUSED, str(error)) from None
    except IllegalMoveError as error:
        raise Refusal(Code.ILLEGAL_MOVE, str(error)) from None
