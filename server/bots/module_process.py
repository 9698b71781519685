"""Runs in a process of the lowest priority: makes the WebAssembly modules that the kernel cache does not have.

It compiles only to collect code, so that it cannot do anything else. Its output has a line for each game whose module
cannot be made, with the reason. `server.bots.modules` starts it.
"""

import os

from millrace.engine.bindings import interpret_rules
from millrace.engine.game import Game
from millrace.engine.games import GAMES
from millrace.engine.levels.warm_up import fault_in_a_line
from millrace.engine.wasm.collecting import collect_only
from millrace.engine.wasm.module import make_module
from millrace.engine.wasm.module_files import digest_of, find_module, keep_module

from ..runtime.child_process import end_only_with_parent
from .compile_process import MOST_CHARACTERS

NICENESS = 19
"""The nice value of this process: everything else comes first."""


def main() -> None:
    """Make the modules of all games."""
    end_only_with_parent()
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    collect_only()
    for game in GAMES.values():
        try:
            _make(game)
        except MemoryError:
            raise  # the machine is at fault, and the next start tries again
        except Exception as error:  # whatever a plug-in's code does
            print(f"{game.name}: {fault_in_a_line(error)[:MOST_CHARACTERS]}", flush=True)


def _make(game: Game) -> None:
    if game.rules.why_interpreted:
        return
    interpret_rules(game)  # a set-up text may need kernels
    start = game.texts.parse_setup("")
    if find_module(game, start) is None:
        keep_module(game, start, make_module(game, start, digest_of(game)))


if __name__ == "__main__":
    main()
