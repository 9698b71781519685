"""Growing a book in processes of their own; it is kept after each round and each position that was scored, so that a
growth that was killed goes on.
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

from ..child_process import end_with_parent
from .book_files import write_book


def build(path: Path, book: Book, matches: int, processes: int, grown: Callable[[], None]) -> None:
    """Grow a book by whole rounds to at least so many matches, and keep it in a file; `grown` is told of each round.

    The book is the same for any number of processes. Raises: OSError.
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
            add_round(book, list(pool.map(play, plan_round(book))))
            write_book(path, book)
            grown()


def _play_task(game: str, recipe: Recipe, task: MatchTask) -> BookMatch:
    return play_match(find_game(game), recipe, task)


def _answer_question(game: str, recipe: Recipe, task: ScoringTask) -> ScoredPosition:
    return score_position(find_game(game), recipe, task)


@contextmanager
def _pool_of(processes: int) -> Iterator[ProcessPoolExecutor]:
    """Give processes that play, and begin nothing more in them when left early."""
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_begin_process)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _begin_process() -> None:
    end_with_parent()
    # An interrupt at the keyboard reaches every process of a command; the command itself then ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
