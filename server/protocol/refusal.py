"""The exception for a command that the server refuses.

Pure. The websocket session answers it with `Refused`.
"""

from . import Code


class Refusal(Exception):  # noqa: N818  # a refusal is an answer, not an error
    """A command is refused, and nothing happens."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
