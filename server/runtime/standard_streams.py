"""Standard output, for results, and standard error, for the log.

The log is text, or JSON with one object in a line. Entries name what they are about by the same keys everywhere:
`request` is the id of a player's command, `match` and `player` are ids of the protocol, so all three are the same on
every node. In systemd's journal, lines begin with their level (sd-daemon(3)).
"""

import json
import logging
import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal, TextIO, TypeAlias, cast

if TYPE_CHECKING:
    from structlog.typing import EventDict, Processor, WrappedLogger

StreamName: TypeAlias = Literal["stdout", "stderr"]
LogFormat: TypeAlias = Literal["text", "json"]

FORMAT_VARIABLE = "MILLRACE_LOG_FORMAT"
LEVELS_VARIABLE = "MILLRACE_LOG_LEVELS"
"""Set for the processes that a server starts if its standard error is the journal."""
JOURNAL_VARIABLE = "JOURNAL_STREAM"
"""Has the device and inode of the journal's socket (systemd.exec(5))."""

JOURNAL_LEVELS = {"critical": "<2>", "error": "<3>", "warning": "<4>", "info": "<6>", "debug": "<7>"}
STDERR = 2

TIME_FORMAT = "%Y-%m-%dT%H:%M:%S.%fZ"
"""Of times in JSON, in UTC."""


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


class Output:
    """A standard output whose errors name it, as those of files do."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        """Write a text. Raises: OSError."""
        with _named_errors():
            return self._stream.write(text)

    def flush(self) -> None:
        """Write what is pending. Raises: OSError."""
        with _named_errors():
            self._stream.flush()


@contextmanager
def _named_errors() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise OSError(error.errno, error.strerror, "Standard output") from None


def prepare_streams() -> None:
    """Have standard streams that are closed read nothing and lead nowhere, and errors of standard output name it."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  # as long as the process
    sys.stdout = cast("TextIO", Output(sys.stdout))


_LIBRARIES_HANDLER = logging.StreamHandler(LastingStream("stderr"))
"""Writes what libraries log by Python's `logging`: warnings and errors, as entries like others."""
_LIBRARIES_HANDLER.setLevel(logging.WARNING)


def announce(line: str) -> None:
    """Print a line about the server's progress on standard output, in the format of the log."""
    entry = {"event": line, "level": "info", "timestamp": datetime.now(UTC).strftime(TIME_FORMAT)}
    LastingStream("stdout").say(json.dumps(entry) if is_log_json() else line)


def warn(text: str) -> None:
    """Log a warning about how a command was called; print it where nothing logs."""
    try:
        import structlog  # noqa: PLC0415  # see `log_to_stderr`
    except ModuleNotFoundError:
        LastingStream("stderr").say(f"millrace: {text}")
    else:
        structlog.get_logger().warning(text)


def choose_log_format(log_format: LogFormat) -> None:
    """Log in a format from now on, here and in the processes started from here."""
    os.environ[FORMAT_VARIABLE] = log_format
    log_to_stderr()


def log_to_stderr() -> None:
    """Write log entries of level `info` and above to standard error; standard output is for results."""
    try:
        import structlog  # noqa: PLC0415  # takes 0.1 s, which `millrace --help` should not wait
    except ModuleNotFoundError:
        return  # without the extra `server` nothing logs
    if is_journal(STDERR):
        os.environ[LEVELS_VARIABLE] = "yes"
    processors = log_processors(is_json=is_log_json(), has_levels=LEVELS_VARIABLE in os.environ)
    _LIBRARIES_HANDLER.setFormatter(libraries_formatter(processors))
    logging.getLogger().addHandler(_LIBRARIES_HANDLER)
    structlog.configure(
        processors=processors,
        wrapper_class=structlog.make_filtering_bound_logger("info"),
        logger_factory=structlog.PrintLoggerFactory(cast("TextIO", LastingStream("stderr"))),
    )


def is_log_json() -> bool:
    """Return whether the log is JSON."""
    return os.environ.get(FORMAT_VARIABLE) == "json"


def is_journal(descriptor: int) -> bool:
    """Return whether an open file is systemd's journal."""
    try:
        status = os.fstat(descriptor)
    except OSError:
        return False
    return os.environ.get(JOURNAL_VARIABLE) == f"{status.st_dev}:{status.st_ino}"


def log_processors(*, is_json: bool, has_levels: bool) -> "Sequence[Processor]":
    """Return what turns log entries into text; `has_levels` for the journal, which has its own times."""
    from structlog import dev, processors  # noqa: PLC0415

    is_terminal = sys.stderr.isatty()
    rendering: Sequence[Processor] = (
        *(() if has_levels else (processors.TimeStamper("%Y-%m-%d %H:%M:%S", utc=False),)),
        dev.ConsoleRenderer(
            colors=is_terminal and "NO_COLOR" not in os.environ,
            exception_formatter=dev.plain_traceback,  # Rich takes 0.2 s, and shows variables
        ),
    )
    if is_json:
        rendering = (
            _add_process,
            processors.TimeStamper(TIME_FORMAT),
            processors.format_exc_info,
            processors.JSONRenderer(default=str),
        )
    prefix = (_begin_with_level,) if has_levels else ()
    return [processors.add_log_level, dev.set_exc_info, *rendering, *prefix]


def libraries_formatter(processors: "Sequence[Processor]") -> logging.Formatter:
    """Return what turns records of libraries into the same text as log entries."""
    from structlog.stdlib import ProcessorFormatter  # noqa: PLC0415

    return ProcessorFormatter(processors=[ProcessorFormatter.remove_processors_meta, *processors])


def _add_process(_: "WrappedLogger", _level: str, entry: "EventDict") -> "EventDict":
    return {**entry, "process": os.getpid()}


def _begin_with_level(_: "WrappedLogger", level: str, text: object) -> str:
    """Begin every line with the level: the journal makes an entry of each."""
    prefix = JOURNAL_LEVELS.get(level, "")
    return "\n".join(prefix + line for line in str(text).splitlines())
