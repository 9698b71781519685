"""The exception of puzzles."""

from ..game import EngineError


class PuzzleError(EngineError):
    """A text that is no puzzle, or a puzzle that does not hold; the message says why."""
