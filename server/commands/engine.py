"""What `millrace engine` does: the engine's line protocol on standard input and output.

The protocol itself is `engine.uci`.
"""

import os
import random
import sys
import threading
from pathlib import Path
from queue import Queue
from time import perf_counter

from millrace.engine.games import find_game
from millrace.engine.uci import Inbox, serve_lines
from millrace.engine.weights import with_weights

from ..books.book_files import BookLibrary
from ..tablebases.table_files import TablebaseFolder
from ..tuning.weight_files import chosen_weights
from .console import refusals_as_lines


def speak_lines(game_name: str, weights: str, tablebases_folder: Path, books_folder: Path) -> None:
    """Answer lines until `quit` or the end of input, with the solved endings and opening books that are in folders.

    `weights` names a set that ships with the game or a file; without a name the game judges as the bots do.
    """
    with refusals_as_lines():
        game = find_game(game_name)
        if weights:
            game = with_weights(game, chosen_weights(game, weights))
    inbox: Inbox = Queue()
    # A thread of its own, so that `stop` is heard while a search runs; a daemon, so that it does not outlive `quit`.
    threading.Thread(target=fill_inbox, args=(inbox,), daemon=True).start()
    tablebase, book = TablebaseFolder(tablebases_folder).tablebase(game_name), BookLibrary(books_folder).book(game_name)
    seed, most_threads = random.SystemRandom().getrandbits(32), os.cpu_count() or 1
    serve_lines(game, inbox, write_line, perf_counter, seed, tablebase, most_threads, book)


def fill_inbox(inbox: Inbox) -> None:
    """Put each line of standard input into the queue, and None at its end."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # undecodable bytes are a bad line, no more
    for line in sys.stdin:
        inbox.put(line)
    inbox.put(None)


def write_line(line: str) -> None:
    """Write a line that the other side sees at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
