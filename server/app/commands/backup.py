"""The commands `millrace backup` and `millrace restore`."""

import asyncio
from collections.abc import Mapping
from pathlib import Path

import typer
from prometheus_client import CollectorRegistry, Gauge, write_to_textfile

from ...runtime.system_clock import steady_clock
from ...storage.backup import write_backup
from ...storage.backup_file import BackupError, check_backup
from ...storage.errors import StorageError
from ...storage.restoring import restore_backup
from .output import exit_on, progress_after_a_while


def back_up(address: str, file: Path, metrics_file: Path | None = None) -> None:
    """Write a backup of a database, and print its counts; if it is complete, note that for Prometheus."""
    with exit_on(OSError, StorageError), progress_after_a_while("Writing", None) as step:
        rows = asyncio.run(write_backup(address, file, steady_clock()(), step))
    typer.echo(f"Wrote {_content(rows)} to {file}.")
    if metrics_file is not None:
        check_file(file)
        with exit_on(OSError):
            _note_backup(file, metrics_file)


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


def _note_backup(file: Path, metrics_file: Path) -> None:
    """Write when a backup was written, and its size, for the node exporter's textfile collector. Raises: OSError."""
    registry, status = CollectorRegistry(), file.stat()
    at = Gauge("millrace_backup_timestamp_seconds", "When the newest backup was written.", registry=registry)
    at.set(status.st_mtime)
    size = Gauge("millrace_backup_bytes", "The size of the newest backup.", registry=registry)
    size.set(status.st_size)
    write_to_textfile(str(metrics_file), registry)
    metrics_file.chmod(0o644)  # the node exporter runs as another user


def _content(rows: Mapping[str, int]) -> str:
    return ", ".join(f"{rows.get(table, 0):,} {table}" for table in ("matches", "events", "accounts"))
