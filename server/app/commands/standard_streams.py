"""Standard output, for results, and standard error, for the log."""

import sys
from contextlib import suppress
from typing import Literal, TextIO, TypeAlias, cast

StreamName: TypeAlias = Literal["stdout", "stderr"]


class LastingStream:
    """A standard stream that ignores errors, so that the process continues when the reader goes away."""

    def __init__(self, name: StreamName) -> None:
        self._name = name

    def write(self, text: str) -> None:
        """Write a text, if possible."""
        with suppress(OSError):
            getattr(sys, self._name).write(text)

    def flush(self) -> None:
        """Flush the stream, if possible."""
        with suppress(OSError):
            getattr(sys, self._name).flush()

    def say(self, line: str) -> None:
        """Write a line, if possible, and flush the stream."""
        self.write(f"{line}\n")
        self.flush()


def log_to_stderr() -> None:
    """Write log entries of level `info` and above to standard error; standard output is for results."""
    try:
        import structlog  # noqa: PLC0415  # takes 0.1 s, which `millrace --help` should not wait
    except ModuleNotFoundError:
        return  # without the extra `server` nothing logs
    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", LastingStream("stderr"))),
    )
