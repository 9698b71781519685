"""Builds the smallest tables for the server's bots in a low-priority process."""

import asyncio
import sys
from pathlib import Path

import structlog

from ...runtime.child_process import kill_child, start_child
from .table_files import tables_in

log = structlog.get_logger()

LAST = "4-3"
TABLES = {"3-3", "4-3", "3-4"}
"""Tables that take seconds to build and cover most late endgames."""


async def build_small_tables(folder: Path, data_dir: Path) -> None:
    """Build the smallest tables in the data folder unless they exist. A failure is logged."""
    if set(tables_in(folder)) >= TABLES:
        return
    command = ["-m", "millrace.server.app.cli", "tablebase", "build", "--up-to", LAST, "--threads", "1", "--background"]
    building = await start_child(
        *(sys.executable, *command, "--data-dir", str(data_dir)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, errors = await building.communicate()
    finally:
        await kill_child(building)
    if building.returncode == 0:
        log.info("tablebases built", up_to=LAST)
    else:
        log.warning("tablebases could not be built", error=errors.decode(errors="replace").strip())
