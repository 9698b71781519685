"""What a book holds: for each position that was come to, how often each move was played there, and what came of it.

Grows nothing and chooses nothing. Imported by the rest of `engine.book` and by `server.books`.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from math import sqrt
from typing import TypeAlias

import msgspec

from engine.book.sight import Clicks, Key, Onlooker
from engine.game import EngineError, Game
from engine.state import State

HALF_POINTS = 2
"""What a won match is worth; a drawn one is worth half of it."""

PRIOR_DRAWS = 2
"""A move is scored as if so many drawn matches had come first, since one match says little (a rule of succession)."""


class BookError(EngineError):
    """A text that is no book, or not the book of this game."""


class Recipe(msgspec.Struct, frozen=True):
    """How a book is grown; the same recipe always grows the same book."""

    seed: int = 1
    nodes: int = 2_000_000
    """Nodes of the search that proposes a move for a position of the book."""
    match_nodes: int = 10_000
    """Nodes for each move of the rest of a match."""
    deepest: int = 20
    """The book ends after so many plies."""


@dataclass(slots=True)
class Tally:
    """How often a move was played, and what it brought."""

    matches: int = 0
    half_points: int = 0
    """For the side that played it: 2 for each win, 1 for each draw."""

    @property
    def score(self) -> float:
        """The share of the points, 0 to 1, leaning to a draw while little is known."""
        return (self.half_points + PRIOR_DRAWS) / (HALF_POINTS * (self.matches + PRIOR_DRAWS))

    @property
    def error(self) -> float:
        """The standard error of the score, at most: that of even chances without draws."""
        return 0.5 / sqrt(self.matches + PRIOR_DRAWS)


Node: TypeAlias = dict[Clicks, Tally]
"""The moves that were played in a position."""


@dataclass(slots=True)
class Book:
    """The book of a game's standard start."""

    game: Game
    recipe: Recipe = field(default_factory=Recipe)
    matches: int = 0
    """Matches that have been added."""
    nodes: dict[Key, Node] = field(default_factory=dict)
    onlooker: Onlooker = field(init=False)

    def __post_init__(self) -> None:
        self.onlooker = Onlooker(self.game)

    def node_at(self, state: State) -> Node:
        """Return the moves that were played in a position, none if it is not in the book."""
        return self.nodes.get(self.onlooker.sight_of(state).key, {})

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
            sight, move = self.onlooker.sight_of(state), state.parse_move(text)
            node = self.nodes.setdefault(sight.key, {})
            clicks = self.onlooker.clicks_of(state, sight, move)
            is_new = clicks not in node
            tally = node.setdefault(clicks, Tally())
            tally.matches += 1
            tally.half_points += half_points if state.seat == 0 else HALF_POINTS - half_points
            if is_new:
                break
            state = state.play(move)
