"""What a book holds: for each position that was come to, how often each move was played there, and what came of it.

Grows nothing and chooses nothing.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TypeAlias

import msgspec

from ..game import EngineError, Game
from ..state import State
from .canonical_form import Canonicalizer, Clicks, Key

HALF_POINTS = 2
"""What a won match is worth; a drawn one is worth half of it."""

PRIOR_DRAWS = 2
"""A move is scored as if so many drawn matches had come first, since one match says little (a rule of succession)."""

PRIOR_SCORED = 50
"""One that was weighed is scored as if so many matches had come first that brought what the search expects."""


class BookError(EngineError):
    """A text that is no book, or not the book of this game."""


class Recipe(msgspec.Struct, frozen=True):
    """How a book is grown; the same recipe always grows the same book."""

    seed: int = 1
    nodes: int = 2_000_000
    """Nodes of a search that proposes a move for a position of the book, or weighs one."""
    match_nodes: int = 10_000
    """Nodes for each move of the rest of a match."""
    deepest: int = 20
    """The book ends after so many plies."""


@dataclass(slots=True)
class BookMove:
    """How often a move was played, and what it brought."""

    matches: int = 0
    half_points: int = 0
    """For the side that played it: 2 for each win, 1 for each draw."""
    expected_score: float | None = None
    """What a long search expects it to bring, 0 to 1, to three decimals; None where none has looked at it. See
    `engine.book.position_scoring`."""

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1, leaning to what a search expects, or to a draw, while little is known."""
        prior, expected = (PRIOR_DRAWS, 0.5) if self.expected_score is None else (PRIOR_SCORED, self.expected_score)
        return (self.half_points / HALF_POINTS + prior * expected) / (self.matches + prior)


Node: TypeAlias = dict[Clicks, BookMove]
"""The moves that were played in a position, or found by those who weighed it."""


def is_scored(node: Node) -> bool:
    """Return whether a long search has looked at a position."""
    return any(book_move.expected_score is not None for book_move in node.values())


@dataclass(slots=True)
class Book:
    """The book of a game's standard start."""

    game: Game
    recipe: Recipe = field(default_factory=Recipe)
    matches: int = 0
    """Matches that have been added."""
    nodes: dict[Key, Node] = field(default_factory=dict)
    canonicalizer: Canonicalizer = field(init=False)

    def __post_init__(self) -> None:
        self.canonicalizer = Canonicalizer(self.game)

    @property
    def scored_positions(self) -> int:
        """How many positions were weighed, so that it knows what to play there."""
        return sum(map(is_scored, self.nodes.values()))

    def node_at(self, state: State) -> Node:
        """Return the moves that were played in a position, none if it is not in the book."""
        return self.nodes.get(self.canonicalizer.canonical_form(state).key, {})

    def add(self, moves: Iterable[str], half_points: int) -> None:
        """Add a match from the start, with what it brought for seat 0.

        Every move is counted up to and with the first that was not in the book, so that each match adds one at most
        (as Coulom's Monte Carlo tree search does, 2006).
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
