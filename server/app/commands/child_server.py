"""A temporary server for a command: a child process that stores nothing and ends with the command."""

import asyncio
import re
import sys
import tempfile
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress

from ...runtime.child_process import end_with_parent, kill_child, start_child
from ..extras import require_server

END_TIMEOUT_S = 10
_ADDRESS = re.compile(r"http://(\S+:\d+)")


@asynccontextmanager
async def child_server(report: Callable[[str], None] = lambda _: None) -> AsyncIterator[str]:
    """Run a server on a free local port during the context, and provide its address.

    `report` is called with each line about how far its start is.

    Raises: OSError if it cannot be started; ModuleNotFoundError without the extra `server`.
    """
    require_server()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        arguments = ("serve", "--host", "127.0.0.1", "--port", "0", "--data-dir", folder)
        process = await start_child(
            *(
                sys.executable,
                "-m",
                "millrace.server.app.cli",
                *arguments,
                "--no-tablebases",
                "--no-browser-engine",
                "--bot-workers",
                "1",
            ),
            stdin=DEVNULL,
            stdout=PIPE,
            stderr=DEVNULL,
            # Ctrl-C is for the command, which then ends the server.
            start_new_session=True,
            preexec_fn=end_with_parent,
        )
        try:
            assert process.stdout is not None
            address = ""
            while line := (await process.stdout.readline()).decode():
                found = _ADDRESS.search(line)
                address = found[1] if found is not None else address
                if "Players are welcome" in line:
                    break
                if line.startswith("Compil"):
                    report(line.rstrip())
            else:
                raise OSError("The server for this command did not start. Start one with: millrace serve")
            reading = asyncio.create_task(process.stdout.read())
            try:
                yield address
            finally:
                reading.cancel()
        finally:
            await end_process(process)


async def end_process(process: Process) -> None:
    """End a process, gently at first."""
    with suppress(ProcessLookupError):
        process.terminate()
    try:
        async with asyncio.timeout(END_TIMEOUT_S):
            await process.wait()
    except TimeoutError:
        pass
    finally:
        await kill_child(process)
