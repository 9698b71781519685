"""The command `millrace archive pack`. It uses the database directly, also while a server is running."""

import asyncio

import typer

from ...archive.packer import DAY_MS, pack_all
from ...runtime.system_clock import steady_clock
from ...storage.errors import StorageError
from ..stores import open_existing_storage
from .output import exit_on, number_of, progress_after_a_while


def pack_archive(address: str, days: float) -> None:
    """Pack the matches that have been over for some days."""
    with exit_on(OSError, StorageError):
        matches, rows = asyncio.run(_pack(address, days))
    typer.echo(f"Packed {number_of(matches, 'match')} with {number_of(rows, 'event')}.")


async def _pack(address: str, days: float) -> tuple[int, int]:
    stores, matches, rows = await open_existing_storage(address), 0, 0
    before_ms = steady_clock()() - int(days * DAY_MS)
    try:
        with progress_after_a_while("Packing", None) as step:
            async for removed in pack_all(stores.packing, before_ms):
                matches, rows = matches + (removed > 0), rows + removed
                step()
    finally:
        await stores.close()
    return matches, rows
