"""A book: for each position that occurred, how often each move was played, and its results."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from ..game import EngineError, Game
from ..state import State
from .canonical_form import Canonicalizer, Clicks, Key

HALF_POINTS = 2
"""Half points for a win; a draw gives half of them."""

PRIOR_DRAWS = 2
"""Number of drawn matches added to a move's results, since one match says little (a rule of succession)."""

PRIOR_SCORED = 50
"""Number of matches with the search's expected score added instead for a scored move."""


class BookError(EngineError):
    """A text that is not a book, or not one of this game."""


class Recipe(msgspec.Struct, frozen=True):
    """The settings for growing a book. The same recipe always grows the same book."""

    seed: int = 1
    nodes: int = 2_000_000
    """Nodes of a search that proposes a move for a book position, or scores one."""
    match_nodes: int = 10_000
    """Nodes for each move beyond the book."""
    deepest: int = 20
    """Maximum depth of the book, in plies."""


@dataclass(slots=True)
class BookMove:
    """How often a move was played, and its results."""

    matches: int = 0
    half_points: int = 0
    """For the side that played it: 2 for each win, 1 for each draw."""
    expected_score: float | None = None
    """The expected score by a long search, 0 to 1, to three decimals; None if it was not searched. See
    `engine.book.position_scoring`."""

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1, drawn towards the expected score, or towards a draw, with few matches."""
        prior, expected = (PRIOR_DRAWS, 0.5) if self.expected_score is None else (PRIOR_SCORED, self.expected_score)
        return (self.half_points / HALF_POINTS + prior * expected) / (self.matches + prior)


Node: TypeAlias = dict[Clicks, BookMove]
"""The moves played in a position or scored by a search."""


def is_scored(node: Node) -> bool:
    """Return whether a long search has scored the position."""
    return any(book_move.expected_score is not None for book_move in node.values())


@dataclass(slots=True)
class Book:
    """The book of a game's standard start."""

    game: Game
    recipe: Recipe = field(default_factory=Recipe)
    matches: int = 0
    """The number of matches added."""
    nodes: dict[Key, Node] = field(default_factory=dict)
    canonicalizer: Canonicalizer = field(init=False)

    def __post_init__(self) -> None:
        self.canonicalizer = Canonicalizer(self.game)

    @property
    def scored_positions(self) -> int:
        """The number of scored positions, in which the book can play."""
        return sum(map(is_scored, self.nodes.values()))

    def covers(self, state: State) -> bool:
        """Return whether a state is on the board of the book's start."""
        return self.canonicalizer.covers(state)

    def node_at(self, state: State) -> Node:
        """Return the moves of a position, none if it is not in the book."""
        return self.nodes.get(self.canonicalizer.canonical_form(state).key, {})

    def add(self, moves: Iterable[str], half_points: int) -> None:
        """Add a match from the start with its result for seat 0.

        Moves are counted up to and including the first new one, so each match adds at most one move (like Coulom's
        Monte Carlo tree search, 2006).
        """
        self.matches += 1
        state = State.of(self.game)
        for text in moves:
            if state.ply >= self.recipe.deepest:
                break
            form, move = self.canonicalizer.canonical_form(state), state.parse_move(text)
            node = self.nodes.setdefault(form.key, {})
            clicks = self.canonicalizer.canonical_clicks(state, form, move)
            book_move = node.setdefault(clicks, BookMove())
            is_new = book_move.matches == 0
            book_move.matches += 1
            book_move.half_points += half_points if state.seat == 0 else HALF_POINTS - half_points
            if is_new:
                break
            state = state.play(move)
