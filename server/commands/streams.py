"""Standard output and standard error as commands use them: answers go to the one, the log to the other."""

import sys
from contextlib import suppress
from typing import Literal, TextIO, cast


class LastingStream:
    """A standard stream that may lose its reader: what nobody would read is left out, and the process goes on."""

    def __init__(self, name: Literal["stdout", "stderr"]) -> None:
        self._name = name

    def write(self, text: str) -> None:
        """Write a text, if it can be written."""
        with suppress(OSError):
            getattr(sys, self._name).write(text)

    def flush(self) -> None:
        """Hand on what was written, if it can be."""
        with suppress(OSError):
            getattr(sys, self._name).flush()


def log_to_stderr() -> None:
    """Have what is logged, from `info` on, written on standard error: standard output is for what commands answer."""
    import structlog  # noqa: PLC0415  # a tenth of a second, which `millrace --help` need not wait

    structlog.configure(
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", LastingStream("stderr"))),
    )
