"""The command `millrace migrate --from ... --to ...`."""

import asyncio

import typer

from ...storage.copying import Copied, open_copy
from ...storage.errors import StorageError
from ..tables import metadata
from .output import exit_on, number_of, progress_after_a_while


def copy_database(source: str, target: str, *, only_checks: bool) -> None:
    """Copy one database into another, or only compare the two, and print their counts."""
    with exit_on(OSError, StorageError):
        copied = asyncio.run(_copy(source, target, only_checks))
    rows = ", ".join(f"{copied.rows[table]:,} {table}" for table in ("matches", "events", "accounts"))
    tables = f"{number_of(sum(copied.rows.values()), 'row')} in {len(copied.rows)} tables"
    typer.echo(f"{'Compared' if only_checks else 'Copied'} {tables}: {rows}.")
    typer.echo("Both databases have the same number of rows and checksum in each table.")
    if copied.replaced:
        typer.echo(f"In {copied.replaced:,} texts, characters that PostgreSQL cannot store became U+FFFD.")
    if copied.gaps:
        typer.echo(f"In both, events are missing in the middle of matches, such as {', '.join(copied.gaps)}.", err=True)
    else:
        typer.echo("The events of every match are numbered without gaps.")
    if not only_checks:
        typer.echo("From now on, servers and commands refuse the old database, which keeps its rows.")


async def _copy(source: str, target: str, only_checks: bool) -> Copied:
    async with open_copy(source, target, metadata) as copy:
        with progress_after_a_while("Comparing" if only_checks else "Copying", await copy.count_steps()) as step:
            return await (copy.check if only_checks else copy.run)(step)
