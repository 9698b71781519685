"""What a command shows besides its answer: progress after a while, and refusals as one line.

No commands here.
"""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeElapsedColumn

from millrace.engine.game import EngineError

SECONDS_BEFORE_PROGRESS = 2.0


@contextmanager
def refusals_as_lines() -> Iterator[None]:
    """Turn an `EngineError` into one line on stderr and exit code 2."""
    try:
        yield
    except EngineError as error:
        typer.echo(f"millrace: {error}", err=True)
        raise typer.Exit(2) from None


@contextmanager
def progress_after_a_while(description: str, steps: int | None) -> Iterator[Callable[[], None]]:
    """Give a function to call after each of `steps` steps (None: nobody knows how many); a bar appears on a terminal's
    stderr after two seconds."""
    progress = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        console=Console(stderr=True),
        transient=True,
    )
    task = progress.add_task(description, total=steps)
    opening = threading.Timer(SECONDS_BEFORE_PROGRESS, progress.start)
    opening.daemon = True
    if progress.console.is_terminal:
        opening.start()
    try:
        yield lambda: progress.advance(task)
    finally:
        opening.cancel()
        if progress.live.is_started:
            progress.stop()
