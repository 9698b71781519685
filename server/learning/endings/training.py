"""The decisions on endings: how hard one is, which one fits a player, and what a move changes. Pure."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from millrace.protocol import EndingGoal

from ...bots.requests import DrawnEnding, EndingJudgement
from ...ratings.formula import rate
from ...ratings.rating import MU, POINTS_OF_START, POINTS_PER_MU, Rating

HELD_MOVES = 10
"""The number of moves for which a draw is held."""

EASIEST_WIN, EASIEST_DRAW = 600, 800
POINTS_PER_MOVE = 60
POINTS_PER_TENTH = {EndingGoal.WIN: 60, EndingGoal.DRAW: 120}
"""The first rating of a grade, in points: by the moves to the win, and by tenths of the chance of a mistake."""

GRADE_SIGMA = 4.0
"""The sigma of that rating: a deviation of 120."""

NEAREST = 4
"""The next ending is one of this number with the nearest ratings."""

GOALS = {1: EndingGoal.WIN, 0: EndingGoal.DRAW}
"""By the result that a position's player reaches."""


class Ending(NamedTuple):
    """The ending that a player has been given in a game."""

    position: str
    goal: EndingGoal
    length: int
    """The player's moves to the win with best play of both sides, or those for which the draw is held."""
    mistakes: float
    """The share of the legal moves in the position that throw the result away."""
    moves: str = ""
    """The texts of the moves of both sides so far, separated by spaces."""
    is_counted: bool = False
    """Whether its result has been counted: after the first mistake, or at the end."""
    is_over: bool = False

    @property
    def grade(self) -> str:
        """Which endings are rated together: those of equal goal, length and tenths of the chance of a mistake.

        >>> Ending("", EndingGoal.WIN, 5, 0.84).grade, Ending("", EndingGoal.DRAW, 10, 1.0).grade
        ('win-5-8', 'draw-10-9')
        """
        return f"{self.goal}-{self.length}-{self._tenths}"

    @property
    def first_rating(self) -> Rating:
        """The rating of its grade before anyone has played it.

        >>> Ending("", EndingGoal.WIN, 5, 0.84).first_rating.points
        1380
        """
        is_win = self.goal is EndingGoal.WIN
        points = EASIEST_WIN + POINTS_PER_MOVE * self.length if is_win else EASIEST_DRAW
        points += POINTS_PER_TENTH[self.goal] * self._tenths
        return Rating(MU + (points - POINTS_OF_START) / POINTS_PER_MU, GRADE_SIGMA)

    @property
    def line(self) -> tuple[str, ...]:
        """The texts of the moves so far."""
        return tuple(self.moves.split())

    @property
    def _tenths(self) -> int:
        return min(9, int(self.mistakes * 10))


class Trainee(NamedTuple):
    """How well a player plays the endings of a game."""

    rating: Rating = Rating()
    attempts: int = 0
    solved: int = 0


class Step(NamedTuple):
    """What a move changes."""

    ending: Ending
    is_kept: bool
    is_solved: bool
    """Whether the task is done with this move."""
    left: int | None
    """The player's moves that are left: to the win, or for which the draw is held."""
    is_success: bool | None
    """The result to count; None if the ending goes on, or has been counted."""


def ending_of(drawn: DrawnEnding) -> Ending:
    """Return an ending that has not begun."""
    goal = GOALS[drawn.result]
    return Ending(drawn.position, goal, HELD_MOVES if drawn.moves is None else drawn.moves, drawn.mistakes)


def fitting(
    drawn: Sequence[DrawnEnding], goal: EndingGoal, points: int, ratings: Mapping[str, Rating]
) -> tuple[Ending, ...]:
    """Return the endings with the wanted goal whose grades are rated nearest to a player's points."""
    endings = [ending for ending in map(ending_of, drawn) if goal in {EndingGoal.ANY, ending.goal}]
    endings.sort(key=lambda ending: abs(rating_of(ending, ratings).points - points))
    return tuple(endings[:NEAREST])


def rating_of(ending: Ending, ratings: Mapping[str, Rating]) -> Rating:
    """Return the rating of an ending's grade: the stored one, or its first."""
    return ratings.get(ending.grade) or ending.first_rating


def step(ending: Ending, move: str, judged: EndingJudgement) -> Step:
    """Return what a judged move changes. A mistake is not added to the line, so that it can be tried again."""
    is_kept = judged.reached >= judged.result
    if not is_kept:
        after = ending._replace(is_counted=True)
        return Step(after, False, False, None, None if ending.is_counted else False)
    line = (*ending.line, move, *([judged.reply] if judged.reply else []))
    own_moves = (len(line) + 1) // 2
    is_draw = ending.goal is EndingGoal.DRAW
    is_solved = not judged.reply or (is_draw and own_moves >= ending.length)
    after = ending._replace(moves=" ".join(line), is_counted=ending.is_counted or is_solved, is_over=is_solved)
    left = 0 if is_solved else ending.length - own_moves if is_draw else judged.moves
    return Step(after, True, is_solved, left, True if is_solved and not ending.is_counted else None)


def rated(trainee: Trainee, grade: Rating, *, is_success: bool) -> tuple[Trainee, Rating]:
    """Return a player's results and a grade's rating after an ending."""
    rating, grade_after = rate((trainee.rating, grade), (1, 2) if is_success else (2, 1))
    return Trainee(rating, trainee.attempts + 1, trainee.solved + is_success), grade_after
