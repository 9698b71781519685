"""A game's teaching for newcomers: its rules in short, an interactive lesson, and explanations of moves.

Values only, and no rules of their own: a lesson names positions and moves that the game's kernels check.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from .kernels import Board, Words

LessonGoal: TypeAlias = tuple[str, ...] | Callable[[Board, Words, int, Words], bool]
"""The moves accepted by a step of a lesson: move texts, or a function of `(board, words before, move, words after)`
that decides about a legal move. Each position is from its mover's view.
"""


class Rule(NamedTuple):
    """A paragraph of a game's rules in short."""

    title: str
    text: str


class LessonStep(NamedTuple):
    """A position in which the reader must find a move."""

    title: str
    text: str
    """The explanation and the task."""
    setup: str
    """A set-up text."""
    goal: LessonGoal
    right: str
    """The answer to a move accepted by the goal."""
    wrong: str = ""
    """The answer to any other move; empty if the goal accepts every legal move."""
    moves: tuple[str, ...] = ()
    """Move texts from the set-up to the position, if its history matters."""
    reply: str = ""
    """The opponent's reply to an accepted move; empty for none."""


class Remark(NamedTuple):
    """A fact about a move or a turn that a newcomer may not understand."""

    code: str
    """A key of `Teaching.remarks`."""
    parameters: Mapping[str, int | str] = MappingProxyType({})
    """Values for the braces in its texts, besides `mover` and `next`."""


class RemarkTexts(NamedTuple):
    """The texts of a remark. `{mover}` is the name of the seat that moved, `{next}` of the seat that moves next."""

    to_mover: str
    """For the player who moved; empty if there is nothing to say."""
    to_next: str
    """For the player who moves next; empty if there is nothing to say."""


@dataclass(frozen=True, slots=True, eq=False)
class Teaching:
    """A game's teaching."""

    rules: tuple[Rule, ...]
    """The rules on one screen."""
    lesson: tuple[LessonStep, ...]
    remarks: Mapping[str, RemarkTexts]
    """The texts of each remark, by code."""
    explain: Callable[[Board, Words, int, Words], tuple[Remark, ...]]
    """`(board, words before, move, words after)` to the remarks about a move, each position from its mover's view."""
    describe_turn: Callable[[Board, Words], tuple[Remark, ...]]
    """`(board, words)` to the remarks for the seat to move; they use `RemarkTexts.to_next`."""
    taking: str = ""
    """The text for a player who has entered a move except the captured piece; empty if moves name none."""


def accepts_any(_board: Board, _before: Words, _move: int, _after: Words) -> bool:
    """Accept every legal move: the goal of a step for free exploration."""
    return True
