"""Runs in a compile process: compiles what each line of its input names, then prints the line.

It ends with its input. `server.bots.compiler` starts it.
"""

import os
import signal
import sys

from millrace.engine.games import find_game
from millrace.engine.warm_up import warm_up_rules, warm_up_search

from ..runtime.child_process import end_with_parent

NICENESS = 5
"""The nice value of these processes, so that they yield to the server and the bots."""

STEPS = {"rules": warm_up_rules, "search": warm_up_search}


def main() -> None:
    """Compile until the input ends."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches the whole group; the server ends this process
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        step, game = line.split()
        STEPS[step](find_game(game))
        print(line, end="", flush=True)


if __name__ == "__main__":
    main()
