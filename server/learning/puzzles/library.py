"""The puzzles of all games, and the choice of one for a player. Pure."""

import hashlib
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple, TypeAlias

from millrace.engine.game import Game
from millrace.engine.puzzles import Puzzle
from millrace.protocol import Code, PuzzleTheme
from millrace.protocol.refusal import Refusal

from ...ratings.rating import MU, POINTS_OF_START, POINTS_PER_MU, Rating

NEAREST = 12
"""The next puzzle is chosen among this number with the nearest ratings."""

FIRST_SIGMA = 4.0
"""The sigma of a puzzle's first rating: a deviation of 120."""

STREAK_START, STREAK_STEP = 700, 60
"""The rating of the first puzzle of a streak, and the increase for each further one, in points."""

RandomBelow: TypeAlias = Callable[[int], int]


class GamePuzzles(NamedTuple):
    """The puzzles of a game, by id."""

    game: Game
    by_id: Mapping[str, Puzzle]

    def themes(self, solved: Mapping[str, bool]) -> tuple[PuzzleTheme, ...]:
        """Return the themes that have puzzles, with a solver's results: by tried puzzle, whether it was solved."""
        assert self.game.puzzles is not None
        puzzles, tried, mastered = (
            Counter(theme for each in ids for theme in self.by_id[each].themes)
            for ids in (
                self.by_id,
                [each for each in solved if each in self.by_id],
                [each for each, is_solved in solved.items() if is_solved and each in self.by_id],
            )
        )
        titles = self.game.puzzles.themes
        return tuple(
            PuzzleTheme(code, title, puzzles[code], tried[code], mastered[code])
            for code, title in titles.items()
            if puzzles[code]
        )

    def titled(self, codes: Iterable[str]) -> tuple[PuzzleTheme, ...]:
        """Return themes with their titles."""
        assert self.game.puzzles is not None
        return tuple(PuzzleTheme(code, self.game.puzzles.themes[code], 0) for code in codes)

    def choose(
        self,
        points: int,
        ratings: Mapping[str, Rating],
        tried: Collection[str],
        theme: str,
        random_below: RandomBelow,
    ) -> str | None:
        """Return the id of an untried puzzle near a rating; a tried one if all have been tried.

        None if there is no puzzle of the theme.
        """
        fitting = [each for each, puzzle in self.by_id.items() if not theme or theme in puzzle.themes]
        candidates = [each for each in fitting if each not in tried] or fitting
        candidates.sort(key=lambda each: abs(self.rating_of(each, ratings).points - points))
        nearest = candidates[:NEAREST]
        return nearest[random_below(len(nearest))] if nearest else None

    def rating_of(self, puzzle: str, ratings: Mapping[str, Rating]) -> Rating:
        """Return a puzzle's rating: the stored one, or its first."""
        return ratings.get(puzzle) or first_rating(self.by_id[puzzle])


class PuzzleLibrary:
    """The puzzles of all games with puzzles."""

    def __init__(self, puzzles: Mapping[Game, Sequence[Puzzle]]) -> None:
        self.by_game = {
            game.name: GamePuzzles(game, {puzzle.id: puzzle for puzzle in found})
            for game, found in puzzles.items()
            if found
        }

    def find(self, game: str) -> GamePuzzles:
        """Return the puzzles of a game. Raises: Refusal."""
        found = self.by_game.get(game)
        if found is None:
            raise Refusal(Code.UNKNOWN_PUZZLE, "There are no puzzles of a game called {game}.", game=repr(game))
        return found

    @cached_property
    def _daily(self) -> tuple[tuple[str, str], ...]:
        """Game and id of every puzzle, in a fixed order that looks random, alternating between games."""
        orders = [
            sorted(((name, each) for each in found.by_id), key=lambda pair: hashlib.sha256(pair[1].encode()).digest())
            for name, found in sorted(self.by_game.items())
        ]
        longest = max(map(len, orders), default=0)
        return tuple(order[index] for index in range(longest) for order in orders if index < len(order))

    def daily(self, day: int) -> tuple[str, str] | None:
        """Return the game and the id of the puzzle of a day, counted from 1970; None if there are no puzzles."""
        return self._daily[day % len(self._daily)] if self._daily else None


def first_rating(puzzle: Puzzle) -> Rating:
    """Return the rating of a puzzle that nobody has tried."""
    return Rating(MU + (puzzle.rating - POINTS_OF_START) / POINTS_PER_MU, FIRST_SIGMA)


def streak_points(streak: int) -> int:
    """Return the rating of the next puzzle of a streak, in points.

    >>> [streak_points(streak) for streak in (0, 1, 10)]
    [700, 760, 1300]
    """
    return STREAK_START + STREAK_STEP * streak
