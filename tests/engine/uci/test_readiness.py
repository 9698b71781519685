"""The promise of `readyok`: no search has to wait for a compilation."""

import subprocess
import sys

import pytest

from millrace.engine.games import SHIPPED

CONVERSATION = """
import gc, sys, time
from queue import Queue
from numba.core.dispatcher import Dispatcher
from millrace.engine.games import find_game
from millrace.engine.uci import serve_lines

def compiled():
    return {(each.__qualname__, str(each.signatures)) for each in gc.get_objects() if isinstance(each, Dispatcher)}

def hear(line):
    if line == "readyok":
        ready.append(compiled())

inbox, ready = Queue(), []
for line in ("isready", "position startpos", "go movetime 50", "quit"):
    inbox.put(line)
serve_lines(find_game(sys.argv[1]), inbox, hear, time.perf_counter, 1)
print(sorted(compiled() - ready[0]))
"""


@pytest.mark.parametrize("game", [game.name for game in SHIPPED])
@pytest.mark.usefixtures("processes")
def test_a_ready_engine_has_nothing_left_to_compile(game: str) -> None:
    command = [sys.executable, "-c", CONVERSATION, game]
    assert subprocess.run(command, capture_output=True, text=True, check=True, timeout=300).stdout == "[]\n"
