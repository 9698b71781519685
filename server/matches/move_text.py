"""A ply that somebody asks for by its text.

Pure.
"""

from millrace.engine.game import IllegalMoveError, MoveSyntaxError, RepetitionError
from millrace.engine.state import State

from ..protocol import Code
from ..protocol.refusal import Refusal


def play_text(state: State, move: str) -> State:
    """Return the state after a ply. Raises: Refusal if the text is no move, or none that is allowed."""
    try:
        return state.play(state.parse_move(move))
    except MoveSyntaxError as error:
        raise Refusal(Code.BAD_MOVE, str(error)) from None
    except RepetitionError as error:
        raise Refusal(Code.REPETITION_REFUSED, str(error)) from None
    except IllegalMoveError as error:
        raise Refusal(Code.ILLEGAL_MOVE, str(error)) from None
