"""The rules of a storm: its time, its combo, and which puzzles come. Pure."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..puzzles.library import GamePuzzles
from ..puzzles.solving import Verdict

DURATION_MS = 180_000

TOLERANCE_MS = 1_500
"""How much later a move may arrive, for the network."""

COMBOS, LATER_EVERY = (5, 12, 20), 10
"""The numbers of right moves in a row that win a bonus, and after the last of them the interval to the next one."""
BONUSES_MS = (0, 3_000, 5_000, 7_000, 10_000)
"""The time won, by the level of the bonus."""

PENALTY_MS = 10_000
"""The time that a wrong move costs."""

FIRST_POINTS, POINTS_PER_PUZZLE = 600, 30
"""The rating of the first puzzle, and the increase for each further one."""


class Storm(NamedTuple):
    """A player's present storm in a game, and the best scores."""

    ends_ms: int = 0
    number: int = 0
    """The number of the present puzzle, from 1."""
    puzzles: str = ""
    """The ids of all puzzles so far, of the present and of the next one, separated by spaces."""
    plies: int = 0
    """The plies of the present puzzle so far."""
    score: int = 0
    combo: int = 0
    best: int = 0
    best_of_day: int = 0
    day: int = 0
    """The day of `best_of_day`, counted from 1970."""

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids in `puzzles`."""
        return tuple(self.puzzles.split())

    @property
    def present(self) -> str:
        """The id of the present puzzle."""
        return self.ids[self.number - 1]

    def best_today(self, day: int) -> int:
        """Return the best score of a day."""
        return self.best_of_day if day == self.day else 0


def bonus_level(combo: int) -> int:
    """Return the level of the bonus for the last of some moves that were right in a row; 0 for none.

    >>> [bonus_level(combo) for combo in (4, 5, 12, 20, 25, 30, 40)]
    [0, 1, 2, 3, 0, 4, 4]
    """
    if combo > COMBOS[-1] and (combo - COMBOS[-1]) % LATER_EVERY == 0:
        return len(COMBOS) + 1
    return COMBOS.index(combo) + 1 if combo in COMBOS else 0


def next_puzzle(puzzles: GamePuzzles, ids: Sequence[str], random_below: Callable[[int], int]) -> str:
    """Return the id of a further puzzle, harder than those before and new, as long as there are new ones."""
    chosen = puzzles.choose(FIRST_POINTS + POINTS_PER_PUZZLE * len(ids), {}, ids, "", random_below)
    assert chosen is not None
    return chosen


def started(storm: Storm, puzzles: GamePuzzles, now_ms: int, random_below: Callable[[int], int]) -> Storm:
    """Return a new storm with its first two puzzles; the best scores stay."""
    fresh = storm._replace(ends_ms=now_ms + DURATION_MS, number=1, puzzles="", plies=0, score=0, combo=0)
    return _with_next(_with_next(fresh, puzzles, random_below), puzzles, random_below)


def is_over(storm: Storm, now_ms: int) -> bool:
    """Return whether a move comes too late, or no storm has been started."""
    return now_ms > storm.ends_ms + TOLERANCE_MS


def played(
    storm: Storm,
    verdict: Verdict,
    puzzles: GamePuzzles,
    day: int,
    random_below: Callable[[int], int],
) -> Storm:
    """Return a storm after a judged move in its present puzzle."""
    if not verdict.is_right:
        after = storm._replace(combo=0, ends_ms=storm.ends_ms - PENALTY_MS)
        return _with_next(after._replace(number=storm.number + 1, plies=0), puzzles, random_below)
    combo = storm.combo + 1
    after = storm._replace(combo=combo, ends_ms=storm.ends_ms + BONUSES_MS[bonus_level(combo)])
    if not verdict.is_solved:
        return after._replace(plies=storm.plies + 2)
    score = storm.score + 1
    after = after._replace(
        number=storm.number + 1,
        plies=0,
        score=score,
        best=max(score, storm.best),
        best_of_day=max(score, storm.best_today(day)),
        day=day,
    )
    return _with_next(after, puzzles, random_below)


def _with_next(storm: Storm, puzzles: GamePuzzles, random_below: Callable[[int], int]) -> Storm:
    return storm._replace(puzzles=" ".join((*storm.ids, next_puzzle(puzzles, storm.ids, random_below))))
