"""A process that forks others, each of which packs a database and kills itself (SIGKILL) at a chosen point.

`python -m tests.server.journal.packing_process URL` reads a point a line, 0 for none, and prints how many its child has
passed. The points are those of `fork_server`, from when the packing begins.
"""

import asyncio
import os
import sys

from millrace.server.app.stores import open_storage
from millrace.server.archive.packer import pack_all
from tests.crash.fork_server import Points, mark_points
from tests.processes import end_with_tests
from tests.server.databases import be_patient

AFTER_ALL_MS = 2**50


async def pack(url: str, points: Points) -> None:
    """Pack every finished match, and note each point."""
    stores = await open_storage(url)
    points.are_counted = True
    async for _ in pack_all(stores.packing, AFTER_ALL_MS):
        pass
    points.are_counted = False
    await stores.close()


def main() -> None:
    be_patient()
    points = Points()
    mark_points(points)
    for line in sys.stdin:
        points.reset()
        points.kill_at = int(line)
        child = os.fork()
        if child == 0:
            end_with_tests()
            asyncio.run(pack(sys.argv[1], points))
            os._exit(0)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        print(points.passed if killed or status == 0 else "failed", flush=True)


if __name__ == "__main__":
    main()
