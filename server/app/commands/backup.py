"""The commands `millrace backup` and `millrace restore`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import typer

from ...runtime.system_clock import steady_clock
from ...storage.backup import write_backup
from ...storage.backup_file import BackupError, check_backup
from ...storage.errors import StorageError
from ...storage.restoring import restore_backup
from .output import exit_on, progress_after_a_while


def back_up(address: str, file: Path) -> None:
    """Write a backup of a database, and print its counts."""
    with exit_on(OSError, StorageError), progress_after_a_while("Writing", None) as step:
        rows = asyncio.run(write_backup(address, file, steady_clock()(), step))
    typer.echo(f"Wrote {_content(rows)} to {file}.")


def restore_file(address: str, file: Path, *, replaces: bool) -> None:
    """Put a backup into a database, and print its counts."""
    with exit_on(OSError, StorageError, BackupError), progress_after_a_while("Restoring", None) as step:
        rows, kept = asyncio.run(restore_backup(address, file, steady_clock()(), step, replaces=replaces))
    typer.echo(f"Restored {_content(rows)}.")
    if kept:
        typer.echo(f"The old data is kept as {kept}.")


def check_file(file: Path) -> None:
    """Check that a backup is complete, and print its counts."""
    with exit_on(OSError, BackupError):
        rows = check_backup(file)
    typer.echo(f"{file} is complete: {_content(rows)}.")


def _content(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{rows.get(table, 0):,} {table}" for table in ("matches", "events", "accounts"))
