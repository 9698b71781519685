"""The command `millrace engine`: the line protocol of `engine.uci` on standard input and output."""

import os
import random
import sys
import threading
from pathlib import Path
from queue import Queue
from time import perf_counter

from millrace.engine.games import find_game
from millrace.engine.uci import GameFiles, Inbox, serve_lines

from ...bots.books.book_files import BookLibrary
from ...bots.tablebases.folder import TablebaseFolder
from ...bots.tuning.weight_files import chosen_evaluation
from .output import exit_on_engine_error


def speak_lines(game_name: str, weights: str, tablebases_folder: Path, books_folder: Path) -> None:
    """Answer commands until `quit` or the end of input, using the tablebases and opening books of two folders.

    `weights` names a set that comes with the game, or a file; empty for the weights that the bots use.
    """
    with exit_on_engine_error():
        game = find_game(game_name)
        chosen = None
        if weights:
            game, chosen = chosen_evaluation(game, weights)
    inbox: Inbox = Queue()
    # A separate thread reads `stop` during a search; a daemon thread does not outlive `quit`.
    threading.Thread(target=fill_inbox, args=(inbox,), daemon=True).start()
    tablebases, books = TablebaseFolder(tablebases_folder, checks_in_background=True), BookLibrary(books_folder)

    def files_of(name: str) -> GameFiles:
        return GameFiles(tablebases.tablebase(name), books.book(name))

    seed, most_threads = random.SystemRandom().getrandbits(32), os.cpu_count() or 1
    serve_lines(game, inbox, write_line, perf_counter, seed, most_threads, files_of, chosen)


def fill_inbox(inbox: Inbox) -> None:
    """Put each line of standard input into the queue, and None at its end."""
    sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]  # undecodable bytes must not end the engine
    for line in sys.stdin:
        inbox.put(line)
    inbox.put(None)


def write_line(line: str) -> None:
    """Write a line and flush it."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
