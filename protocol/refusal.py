"""The exception for a command that the server refuses.

Pure.
"""

from collections.abc import Sequence

from . import MAX_FRAME_BYTES, Code, Wording
from .durations import duration_text


class Refusal(Exception):  # noqa: N818  # a refusal is an answer, not an error
    """A refused command, which has no effect."""

    def __init__(self, code: Code, message: str, /, **values: str | int) -> None:
        """Refuse for a reason, with `{name}` in its message for each value.

        The message must be a literal, so that `tools.languages` can collect it.
        """
        wording = Wording(message, values)
        self.code = code
        self.wording: tuple[Wording, ...] = (wording,)
        """The sentences of the reason."""
        super().__init__(code, message)

    def __str__(self) -> str:
        return self.message

    def add(self, sentences: Sequence[Wording]) -> None:
        """Add sentences to the reason."""
        self.wording += tuple(sentences)

    @property
    def message(self) -> str:
        """The reason as English text."""
        return " ".join(text_of(wording) for wording in self.wording)


def require_short(frame: str | bytes) -> None:
    """Check the length of a client's message. Raises: Refusal."""
    size = len(frame.encode()) if isinstance(frame, str) else len(frame)
    if size > MAX_FRAME_BYTES:
        raise Refusal(
            Code.MALFORMED,
            "This message is too long: it has {size} bytes, and {most} are allowed.",
            size=size,
            most=MAX_FRAME_BYTES,
        )


def text_of(wording: Wording) -> str:
    """Return a sentence in English.

    >>> text_of(Wording("Please try again in {wait_ms}.", {"wait_ms": 61_000}))
    'Please try again in 2 minutes.'
    """
    if not wording.values:
        return wording.message
    values = {
        name: duration_text(int(value)) if name.endswith("_ms") else value for name, value in wording.values.items()
    }
    return wording.message.format(**values)
