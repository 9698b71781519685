"""Runs in a compile process: compiles what each line of its input names, then prints the line.

If the game's code is at fault, `: ` and the reason follow. It ends with its input. `server.bots.compiler` starts it.
"""

import os
import sys

from millrace.engine.games import find_game
from millrace.engine.levels.warm_up import fault_in_a_line, warm_up_rules, warm_up_search, why_not_kept

from ..runtime.child_process import end_only_with_parent

NICENESS = 5
"""The nice value of these processes, so that they yield to the server and the bots."""

STEPS = {"rules": warm_up_rules, "search": warm_up_search}

MOST_CHARACTERS = 600
"""Maximum length of a reason: numba's errors end with pages of hints."""


def main() -> None:
    """Compile until the input ends."""
    end_only_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    for line in sys.stdin:
        reason = why_not_compiled(*line.split())
        print(f"{line.strip()}: {reason}" if reason else line.strip(), flush=True)


def why_not_compiled(step: str, game_name: str) -> str:
    """Compile something, and return why other processes cannot load it, on one line; empty if they can."""
    game = find_game(game_name)
    try:
        STEPS[step](game)
    except MemoryError:
        raise  # the machine is at fault, and another process tries again
    except Exception as error:  # whatever a plug-in's code does
        return fault_in_a_line(error)[:MOST_CHARACTERS]
    return why_not_kept(game)


if __name__ == "__main__":
    main()
