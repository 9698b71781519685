"""The `position` command: parsing its arguments."""

from ..game import Game
from ..game.written_moves import join_captures
from ..state import State
from .go_command import ProtocolError

USAGE = "position takes: startpos|text TEXT|NOTATION TEXT [moves M...]."


def parse_position(arguments: list[str], game: Game, chosen_setup: str) -> State:
    """Parse the arguments of `position`; `chosen_setup` is the set-up of `startpos`. Raises: EngineError."""
    words, moves = list(arguments), list[str]()
    if "moves" in words:
        at = words.index("moves")
        words, moves = words[:at], words[at + 1 :]
    match words:
        case ["startpos"]:
            setup = chosen_setup
        case ["text", _, *_]:
            setup = " ".join(words[1:])
        case [notation, _, *_]:
            setup = _in_notation(notation, " ".join(words[1:]), game)
        case _:
            raise ProtocolError(USAGE)
    return State.from_moves(game, setup, join_captures(moves, game.texts.capture_mark))


def have_same_keys(one: State, other: State) -> bool:
    """Return whether equal keys mean equal positions in both states."""
    return one.game is other.game and one.start.is_on_board_of(other.start)


def _in_notation(name: str, text: str, game: Game) -> str:
    """Check that a set-up text is in a notation of other programs. Raises: ProtocolError."""
    notation = game.texts.notations.get(name)
    if notation is None:
        known = ", ".join(("text", *game.texts.notations))
        raise ProtocolError(f"{USAGE} {game.title} knows {known}, not {name!r}.")
    if not notation.is_notation(text):
        raise ProtocolError(f"This is no position in the notation {name!r}: {text!r}.")
    return text
