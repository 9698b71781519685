"""The commands `millrace tablebase compress` and `verify-small`: the small edition, without distances."""

from pathlib import Path

import typer

from ...bots.tablebases.small_files import compare_small_table, small_path_of, write_small_table
from ...bots.tablebases.table_files import TablebaseError, open_table
from .output import exit_on, progress_after_a_while
from .tablebase import require_tables


def print_compress(folder: Path, target: Path) -> None:
    """Compress every table of a folder, and print the sizes."""
    names = require_tables(folder)
    entries = size = 0
    with progress_after_a_while("compressing", len(names)) as advance, exit_on(OSError, TablebaseError):
        for name in names:
            stored = open_table(folder, name)
            written = write_small_table(target, stored)
            entries, size = entries + stored.header.entries, size + written
            typer.echo(f"{name:>5} {written / 1e6:>9.2f} MB, {8 * written / stored.header.entries:.3f} bits an entry")
            advance()
    typer.echo(f"{len(names)} tables are in {target}: {size / 1e6:,.1f} MB instead of {entries / 1e6:,.1f} MB.")


def print_verify_small(folder: Path, target: Path) -> None:
    """Compare every result of the small edition with the full tables; exit with 1 if one differs or is missing."""
    names = require_tables(folder)
    entries, faults = 0, []
    with progress_after_a_while("comparing", len(names)) as advance:
        for name in names:
            try:
                stored = open_table(folder, name)
                compare_small_table(target, stored)
                entries += stored.header.entries
            except FileNotFoundError:
                faults.append(f"{small_path_of(target, name)} is missing.")
            except (OSError, TablebaseError) as error:
                faults.append(str(error))
            advance()
    for fault in faults:
        typer.echo(fault)
    typer.echo(f"{entries:,} results of {len(names) - len(faults)} tables are those of the full tables.")
    if faults:
        raise typer.Exit(1)
