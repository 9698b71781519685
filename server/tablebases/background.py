"""What a server does for its bots once they play: it has the smallest endings solved, in a process of low priority."""

import asyncio
import sys
from pathlib import Path

import structlog

from .table_files import tables_in

log = structlog.get_logger()

LAST = "4-3"
TABLES = {"3-3", "4-3", "3-4"}
"""What it takes seconds to solve, and most matches that are decided late come to."""


async def solve_small_endings(folder: Path, data_dir: Path) -> None:
    """Return when the smallest endings are in the data folder, or could not be solved, which is logged."""
    if set(tables_in(folder)) >= TABLES:
        return
    command = ["-m", "millrace.server.cli", "tablebase", "build", "--up-to", LAST, "--processes", "1", "--background"]
    building = await asyncio.create_subprocess_exec(
        *(sys.executable, *command, "--data-dir", str(data_dir)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.PIPE,
    )
    try:
        _, errors = await building.communicate()
    finally:
        if building.returncode is None:
            building.kill()
            await building.wait()
    if building.returncode == 0:
        log.info("endings solved", up_to=LAST)
    else:
        log.warning("endings could not be solved", error=errors.decode(errors="replace").strip())
