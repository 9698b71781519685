"""The errors raised for bad input to the engine.

EngineError
+-- UnknownGameError    no game of that name
+-- SetupError          a set-up or position text that does not parse, or describes no possible position
+-- MoveSyntaxError     a move text that does not parse
+-- IllegalMoveError    a move that parses but is not allowed here
    +-- RepetitionError     a move that only the ban on repetition forbids
"""

from ..shortening import shorten


class EngineError(ValueError):
    """Bad input to the engine. Its text can be shown to users; what it quotes of the input is shortened."""

    def __init__(self, text: str = "") -> None:
        super().__init__(shorten(text))


class UnknownGameError(EngineError):
    """No game has that name."""


class SetupError(EngineError):
    """A set-up or position text that does not parse, or describes no possible position."""


class MoveSyntaxError(EngineError):
    """A move text that does not parse."""


class IllegalMoveError(EngineError):
    """A move that parses but is not allowed in this state."""


class RepetitionError(IllegalMoveError):
    """A move forbidden only because it would repeat an earlier position (`Repetition.FORBIDDEN`)."""
