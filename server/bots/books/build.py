"""Builds an opening book with several processes.

The book is saved after each round and each scored position, so a killed build can continue.
"""

import signal
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from millrace.engine.book.book import Book, Recipe
from millrace.engine.book.growth import ROUND, BookMatch, MatchTask, add_round, plan_round, play_match
from millrace.engine.book.position_scoring import (
    ScoredPosition,
    ScoringTask,
    add_scored,
    back_up,
    score_position,
    scoring_tasks,
)
from millrace.engine.games import find_game

from ...runtime.child_process import end_with_parent
from .book_files import write_book


def build(path: Path, book: Book, matches: int, processes: int, grown: Callable[[], None]) -> None:
    """Build a book from `matches` matches, in rounds, and save it; call `grown` after each round.

    The result does not depend on the number of processes. Raises: OSError.
    """
    play = partial(_play_task, book.game.name, book.recipe)
    answer = partial(_answer_question, book.game.name, book.recipe)
    with _pool_of(min(processes, ROUND)) as pool:
        while True:
            for scored in pool.map(answer, scoring_tasks(book)):
                add_scored(book, scored)
                write_book(path, book)
            back_up(book)
            write_book(path, book)
            if book.matches >= matches:
                return
            add_round(book, list(pool.map(play, plan_round(book, matches))))
            write_book(path, book)
            grown()


def _play_task(game: str, recipe: Recipe, task: MatchTask) -> BookMatch:
    return play_match(find_game(game), recipe, task)


def _answer_question(game: str, recipe: Recipe, task: ScoringTask) -> ScoredPosition:
    return score_position(find_game(game), recipe, task)


@contextmanager
def _pool_of(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Provide processes; on leaving early, cancel the calls that have not started."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin_process)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_process() -> None:
    end_with_parent()
    # Ctrl-C reaches every process of a command; the command itself ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
