"""The exception of puzzles."""

from ..game import EngineError


class PuzzleError(EngineError):
    """A text is not a puzzle, or a puzzle is unsound; the message says why."""
