"""Positions and moves with what a symmetry of the board turns into one another seen as one.

Knows no game: a game tells the symmetries of its board (`Rules.symmetries`), and everything else follows from what lies
on its cells and from the cells that are clicked for a move. Positions are seen by the side to move, so that colours do
not matter either.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np

from ..game import Game, Pile
from ..state import State

Key: TypeAlias = tuple[int, ...]
"""A position, the same for all that are symmetric to it: what lies on each cell, what is in hand, transient words."""

Clicks: TypeAlias = tuple[str, ...]
"""A move as it is clicked where the board lies as in the key, the least of those that a symmetry makes of it."""


class BoardSymmetry(NamedTuple):
    """A symmetry of the board, ready for use."""

    arrange: Callable[[Sequence[int]], Key]
    """What lies on each cell afterwards, from what lies on each before."""
    names: Mapping[str, str]
    """By name of a cell, the name of that on which it comes to lie."""


class CanonicalForm(NamedTuple):
    """How a position is seen."""

    key: Key
    turns: tuple[BoardSymmetry, ...]
    """All that turn the board so that it lies as in the key."""


class Canonicalizer:
    """Who sees positions of matches from the standard start of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.start = game.texts.parse_setup("")
        cells = game.drawing.geometry(self.start.board).cells
        symmetries = game.rules.symmetries(self.start.board) if game.rules.symmetries else (tuple(range(len(cells))),)
        names = tuple(cell.name for cell in cells)
        self._turns = tuple(
            BoardSymmetry(_arranger(symmetry), {name: names[to] for name, to in zip(names, symmetry, strict=True)})
            for symmetry in symmetries
        )

    def covers(self, state: State) -> bool:
        """Return whether the state is of this game, on the board of its standard start."""
        return (
            state.game is self.game
            and state.start.seats == self.start.seats
            and all(np.array_equal(*pair) for pair in zip(state.start.board, self.start.board, strict=True))
        )

    def canonical_form(self, state: State) -> CanonicalForm:
        """Return how the position of a state that `knows` accepts is seen."""
        seats, drawing = state.start.seats, state.drawing
        contents = [_content(pile, state.seat, seats) for pile in drawing.piles]
        images = [turn.arrange(contents) for turn in self._turns]
        least = min(images)
        turns = tuple(turn for turn, image in zip(self._turns, images, strict=True) if image == least)
        reserves = (*drawing.reserves[state.seat :], *drawing.reserves[: state.seat])
        transient = state.words[len(state.words) - self.game.rules.transient_words :].tolist()
        return CanonicalForm((*least, *reserves, *transient), turns)

    def equivalent_moves(self, state: State, form: CanonicalForm, moves: Iterable[int]) -> dict[Clicks, list[int]]:
        """Return moves of a state by what they are known by: those together that symmetries turn into one another."""
        equivalent: dict[Clicks, list[int]] = {}
        for move in moves:
            equivalent.setdefault(self.canonical_clicks(state, form, move), []).append(move)
        return equivalent

    def canonical_clicks(self, state: State, form: CanonicalForm, move: int) -> Clicks:
        """Return what a move is known by."""
        clicks = self.game.drawing.clicks(state.start.board, move)
        return min(tuple(turn.names.get(click, click) for click in clicks) for turn in form.turns)


def _arranger(symmetry: Sequence[int]) -> Callable[[Sequence[int]], Key]:
    """Return what `BoardSymmetry.arrange` does."""
    origins = sorted(range(len(symmetry)), key=symmetry.__getitem__)
    return lambda contents: tuple([contents[origin] for origin in origins])


def _content(pile: Pile | None, mover: int, seats: int) -> int:
    """Return a number for what lies on a cell: 0 for nothing, and the seat counted from the mover."""
    return 0 if pile is None else 1 + (pile.seat - mover) % seats + seats * pile.size
