"""Progress bars, and errors as one line."""

import errno
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import NoReturn

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from millrace.engine.shortening import shorten

SECONDS_BEFORE_PROGRESS = 2.0
_ABOUT_FILES = {
    errno.ENOENT: "There is no file or folder {file}.",
    errno.EEXIST: "{file} is a file, and a folder is needed. Choose another folder.",
    errno.ENOTDIR: "A part of the path {file} is a file, not a folder. Choose another folder.",
    errno.EISDIR: "{file} is a folder. Name a file.",
    errno.EACCES: "You are not allowed to use {file}. Change its permissions, or choose another place.",
    errno.EPERM: "You are not allowed to use {file}. Change its permissions, or choose another place.",
    errno.EROFS: "{file} cannot be written: its disk is read-only. Choose another place.",
    errno.ENOSPC: "{file} cannot be written: the disk is full. Free some space.",
}
"""Messages for system errors about files."""
INTERRUPTED = 130
"""Exit code of a process interrupted from the keyboard, as in shells."""
INVALID_ARGUMENT = 2
"""Exit code for an argument that the engine rejects, as for one that the command line rejects."""


def number_of(count: int, thing: str) -> str:
    """Return a number with what it counts.

    >>> number_of(1, "match"), number_of(1_200, "match"), number_of(0, "puzzle")
    ('1 match', '1,200 matches', '0 puzzles')
    """
    plural = f"{thing}es" if thing.endswith("ch") else f"{thing}s"
    return f"{count:,} {thing if count == 1 else plural}"


def fail(message: str, code: int = 1) -> NoReturn:
    """Print an error and exit."""
    typer.echo(f"millrace: {shorten(message)}", err=True)
    raise typer.Exit(code)


@contextmanager
def exit_on(*kinds: type[Exception], code: int = 1) -> Iterator[None]:
    """Print errors of these kinds as one line and exit."""
    try:
        yield
    except kinds as error:
        fail(message_of(error), code)


def exit_on_engine_error() -> AbstractContextManager[None]:
    """Print an `EngineError` as one line and exit with code 2."""
    from millrace.engine.game import EngineError  # noqa: PLC0415  # commands without the engine do not need it

    return exit_on(EngineError, code=INVALID_ARGUMENT)


def message_of(error: Exception) -> str:
    """Return an error's message for the user: a server's refusal, or a sentence that names the file.

    >>> message_of(FileNotFoundError(2, "No such file or directory", "matches.txt"))
    'There is no file or folder matches.txt.'
    """
    if isinstance(error, UnicodeDecodeError):
        return "The file is not text in UTF-8."
    if not isinstance(error, OSError) or not error.strerror:
        return re.sub(r"\[Errno -?\d+\] ", "", str(getattr(error, "message", error)))
    if error.filename is None:
        return f"{error.strerror[:1].upper()}{error.strerror[1:]}."
    sentence = _ABOUT_FILES.get(error.errno or 0, f"{{file}}: {error.strerror}.")
    return sentence.format(file=error.filename)


@contextmanager
def progress_after_a_while(description: str, steps: int | None) -> Iterator[Callable[[], None]]:
    """Provide a function to call after each step. A progress bar appears after two seconds if stderr is a terminal.

    `steps` is None if the number of steps is unknown.
    """
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task(description, total=steps)
    with _opening_after_a_while(progress):
        yield lambda: progress.advance(task)


@contextmanager
def status_after_a_while() -> Iterator[Callable[[str], None]]:
    """Provide a function that shows the status of work of unknown length, like `progress_after_a_while`."""
    progress = Progress(
        TextColumn("{task.description}"), TimeElapsedColumn(), console=Console(stderr=True), transient=True
    )
    task = progress.add_task("", total=None)
    with _opening_after_a_while(progress):
        yield lambda text: progress.update(task, description=text)


@contextmanager
def _opening_after_a_while(progress: Progress) -> Iterator[None]:
    """Show a progress bar after two seconds if stderr is a terminal, and close it."""
    opening = threading.Timer(SECONDS_BEFORE_PROGRESS, progress.start)
    opening.daemon = True
    if progress.console.is_terminal:
        opening.start()
    try:
        yield
    finally:
        opening.cancel()
        if progress.live.is_started:
            progress.stop()
