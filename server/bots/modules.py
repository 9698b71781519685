"""Has the games' WebAssembly modules made, for pages that play without the server (`engine.wasm`)."""

import sys
from asyncio.subprocess import PIPE

import structlog

from millrace.engine.kernel_cache import kernels_folder

from ..runtime.child_process import START_ERRORS, kill_child, start_child, why_not_started

log = structlog.get_logger()


async def make_modules() -> None:
    """Make the modules that the kernel cache does not have, in a process of low priority. A failure is logged."""
    if kernels_folder() is None:
        return
    try:
        process = await start_child(sys.executable, "-m", "millrace.server.bots.module_process", stdout=PIPE)
    except START_ERRORS as error:
        log.warning("no modules for browsers", reason=why_not_started(error))
        return
    try:
        output, _ = await process.communicate()
    finally:
        await kill_child(process)
    for line in output.decode(errors="replace").splitlines():
        log.warning("no module for browsers", reason=line)
    if process.returncode:
        log.warning("the process that makes modules for browsers died", code=process.returncode)
