"""Builds a file of puzzles from matches of the archive, then from matches of the engine against itself.

The file is saved after each match with a puzzle, so an interrupted build can continue.
"""

import random
from collections.abc import Callable, Iterable, Iterator
from math import ceil
from pathlib import Path

from millrace.engine.game import Game
from millrace.engine.puzzles.mining import Miner, Quota, self_play
from millrace.engine.state import State
from millrace.engine.tablebase.probing import Tablebase

from .puzzle_files import read_puzzles, write_puzzles
from .solved_endings import won_endings

THEME_SHARE, EASY_SHARE = 0.3, 0.2
"""Maximum shares of puzzles with one theme, and of puzzles that the weakest level solves."""

SHARED_OUT = 1.5
"""Minimum sum of the shares of all themes, for games with few themes: below 1 the file could never be full."""


def build(
    game: Game,
    path: Path,
    wanted: int,
    seed: int,
    recorded: Iterable[State],
    tablebase: Tablebase | None,
    found: Callable[[int], None],
) -> int:
    """Add puzzles to a file until it has the requested number; call `found` with the number of new ones.

    `recorded` are the ends of matches to use first; those of other games are ignored. With a tablebase, solved endings
    alternate with matches. Returns the number of puzzles in the file. Raises: OSError, PuzzleError.
    """
    quota = quota_of(game, wanted)
    miner = Miner(game, quota, read_puzzles(path))
    # Another seed after an interruption, or the same matches would be played again.
    source = random.Random(f"{seed}/{len(miner.puzzles)}")
    for match in _sources(game, recorded, tablebase, source):
        if miner.is_full:
            break
        count = miner.mine(match, source.randrange)
        if count:
            write_puzzles(path, miner.puzzles)
            found(count)
    return len(miner.puzzles)


def quota_of(game: Game, wanted: int) -> Quota:
    """Return how many puzzles to find, in total, per theme, and easy ones."""
    assert game.puzzles is not None
    share = max(THEME_SHARE, SHARED_OUT / len(game.puzzles.themes))
    return Quota(wanted, ceil(wanted * share), ceil(wanted * EASY_SHARE))


def _sources(
    game: Game, recorded: Iterable[State], tablebase: Tablebase | None, source: random.Random
) -> Iterator[tuple[State, ...]]:
    """Yield the positions of recorded matches, then endlessly those of the engine's matches and solved endings."""
    yield from (end.line for end in recorded if end.game is game)
    endings = None if tablebase is None or not tablebase.names else won_endings(tablebase, source.randrange)
    for match in self_play(game, source.randrange):
        yield match
        if endings is not None:
            yield (next(endings),)
