"""One of several servers behind one port, started by `server.app.commands.supervisor`, which sends it the settings.

If its input ends, the supervisor has died, and the server stops too.
"""

import os
import pickle
import signal
import sys
import threading

import typer

from ...runtime.standard_streams import log_to_stderr
from .serve import serve_until_stopped


def main() -> None:
    """Serve until told to stop, or until the input ends."""
    # A Ctrl-C reaches the supervisor too, which passes it on once this server listens to it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The supervisor restarts its servers itself.
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    log_to_stderr()
    settings = pickle.load(sys.stdin.buffer)
    threading.Thread(target=_stop_at_end_of_input, daemon=True).start()
    try:
        serve_until_stopped(settings)
    except typer.Exit as ended:
        sys.exit(ended.exit_code)


def _stop_at_end_of_input() -> None:
    # Unbuffered: this thread would still hold the lock of Python's buffer when the process ends.
    while os.read(0, 1024):
        pass
    os.kill(os.getpid(), signal.SIGTERM)


if __name__ == "__main__":
    main()
