"""Plays the matches for tuning in several processes. Each match has its own random seed, so the number of processes
does not change the result.
"""

import os
import signal
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from multiprocessing import get_context
from random import Random

from millrace.engine.games import find_game
from millrace.engine.tuning.self_play import SelfPlaySettings, TrainingMatch, play_match
from millrace.engine.weights import Weights, with_weights

from ...runtime.child_process import end_with_parent

CHUNK = 4
"""Number of matches sent to a process at a time."""


@contextmanager
def players(processes: int | None) -> Iterator[ProcessPoolExecutor]:
    """Provide processes for `play_matches`; None for one per processor. On leaving early, cancel the matches that have
    not started."""
    pool = ProcessPoolExecutor(processes or os.cpu_count() or 1, get_context("spawn"), initializer=_begin_process)
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def play_matches(
    pool: ProcessPoolExecutor, game_name: str, weights: Weights, playing: SelfPlaySettings, seeds: list[str]
) -> Iterator[TrainingMatch]:
    """Play a match for each seed and yield their results, in the order of the seeds."""
    return pool.map(partial(play_one, game_name, weights, playing), seeds, chunksize=CHUNK)


def play_one(game_name: str, weights: Weights, playing: SelfPlaySettings, seed: str) -> TrainingMatch:
    """Play one match. Raises: EngineError if there is no such game or it has no weights."""
    return play_match(with_weights(find_game(game_name), weights), playing, Random(seed).randrange)


def _begin_process() -> None:
    end_with_parent()
    # Ctrl-C reaches every process of a command; the command itself ends these.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
