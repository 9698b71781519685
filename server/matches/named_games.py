"""The games and starting positions that clients name. Pure."""

from millrace.engine.game import Game, SetupError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal


def require_game(name: str) -> Game:
    """Return the game with a name. Raises: Refusal."""
    try:
        return find_game(name)
    except UnknownGameError as error:
        raise Refusal(Code.UNKNOWN_GAME, str(error)) from None


def require_start(game: str, setup: str) -> State:
    """Return the state that a set-up text describes. Raises: Refusal."""
    try:
        return State.of(require_game(game), setup)
    except SetupError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None
