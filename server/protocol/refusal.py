"""A refusal: the answer to a command that is not followed.

Pure; raised by whatever decides, and made a `Refused` by `server.http.session`.
"""

from . import Code


class Refusal(Exception):  # noqa: N818  # a refusal is an answer, not an error
    """A command is not followed; nothing happens."""

    def __init__(self, code: Code, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
