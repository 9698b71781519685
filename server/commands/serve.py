"""The commands `millrace serve` and `millrace migrate`: event loop and errors around what they call."""

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import typer

from ..app.server import run
from ..journal.store import StorageError
from ..settings import Settings
from .streams import LastingStream


class TerminalConsole:
    """Tells the terminal how far the server is, line by line."""

    def __init__(self) -> None:
        self._out = LastingStream("stdout")

    def say(self, words: str) -> None:
        """Print a line."""
        self._out.write(f"{words}\n")
        self._out.flush()

    def progress(self, name: str, done: int, total: int) -> None:
        """Print which step is done, of how many."""
        self.say(f"Compiled the rules of {name} ({done} of {total})")


def serve_until_stopped(settings: Settings) -> None:
    """Serve until the process is told to stop; exit with 1 and one line of reason if that cannot begin."""
    with _errors_in_one_line(), asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(run(settings, TerminalConsole()))


def migrate_database(settings: Settings) -> None:
    """Bring the database up to date and say whether there was anything to do; exit with 1 if that fails."""
    from ..storage import migrate  # noqa: PLC0415  # serving opens its door before it loads the databases

    with _errors_in_one_line():
        settings.data_dir.mkdir(parents=True, exist_ok=True)
        has_changed = asyncio.run(migrate(settings.database_url))
    typer.echo("The database has been brought up to date." if has_changed else "The database is up to date.")


@contextmanager
def _errors_in_one_line() -> Iterator[None]:
    try:
        yield
    except (OSError, StorageError) as error:
        typer.echo(f"millrace: {error}", err=True)
        raise typer.Exit(1) from None


def _loop_factory() -> type[asyncio.AbstractEventLoop] | None:
    """Return uvloop's event loop where the platform has it."""
    if sys.platform == "win32":
        return None
    import uvloop  # noqa: PLC0415

    return uvloop.Loop
