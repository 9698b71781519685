"""Serves a checkout, and starts the server again whenever a file changes: `make serve`.

Arguments are those of `millrace serve`. Data is kept in the checkout, apart from that of an installed server. Matches
continue, as after any restart, and open pages reconnect.
"""

import os
import sys

from watchfiles import DefaultFilter, run_process

from .made_files import ROOT, are_outdated, made_files
from .make import make

DATA = ROOT / ".data"
FOLDERS = ("client", "engine", "migrations", "protocol", "server", "tools")


def serve(*arguments: str) -> None:
    """Become a server of the files as they are now."""
    if are_outdated():
        make()
    os.execv(
        sys.executable, [sys.executable, "-m", "millrace.server.app", "serve", "--data-dir", str(DATA), *arguments]
    )


if __name__ == "__main__":
    folders = [ROOT / folder for folder in FOLDERS]
    sources = DefaultFilter(ignore_paths=[str(path) for path in made_files()])
    run_process(*folders, target=serve, args=tuple(sys.argv[1:]), watch_filter=sources, sigint_timeout=30)
