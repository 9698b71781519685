"""Canonical forms of positions and moves: those that a symmetry of the board maps to each other have the same form.

It works for every game: a game defines the symmetries of its board (`Rules.symmetries`), and everything else follows
from the pieces on the cells and from the clicks of moves. Positions are seen from the mover's view, so that colours do
not matter either.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ..game import Game, Pile, Start
from ..state import State

Key: TypeAlias = tuple[int, ...]
"""The canonical form of a position: the content of each cell, the reserves, and the transient words."""

Clicks: TypeAlias = tuple[str, ...]
"""The canonical form of a move: its clicks on the board of the canonical form, the least of those equal by symmetry."""


class BoardSymmetry(NamedTuple):
    """A symmetry of the board, prepared for use."""

    arrange: Callable[[Sequence[int]], Key]
    """Maps the contents of the cells before the symmetry to those after it."""
    names: Mapping[str, str]
    """Maps the name of each cell to that of its image."""


class CanonicalForm(NamedTuple):
    """The canonical form of a position, and the symmetries that lead to it."""

    key: Key
    turns: tuple[BoardSymmetry, ...]
    """All symmetries that give the canonical form."""


class Canonicalizer:
    """Computes canonical forms for matches on the board of a start, by default a game's standard one."""

    def __init__(self, game: Game, start: Start | None = None) -> None:
        self.game = game
        self.start = game.texts.parse_setup("") if start is None else start
        cells = game.drawing.geometry(self.start.board).cells
        symmetries = game.rules.symmetries(self.start.board) if game.rules.symmetries else (tuple(range(len(cells))),)
        names = tuple(cell.name for cell in cells)
        self._turns = tuple(
            BoardSymmetry(_arranger(symmetry), {name: names[to] for name, to in zip(names, symmetry, strict=True)})
            for symmetry in symmetries
        )

    def covers(self, state: State) -> bool:
        """Return whether a state belongs to this game and to the board of this start."""
        return state.game is self.game and state.start.is_on_board_of(self.start)

    def canonical_form(self, state: State) -> CanonicalForm:
        """Return the canonical form of the position of a state that `covers` accepts."""
        seats, drawing = state.start.seats, state.drawing
        contents = [_content(pile, state.seat, seats) for pile in drawing.piles]
        images = [turn.arrange(contents) for turn in self._turns]
        least = min(images)
        turns = tuple(turn for turn, image in zip(self._turns, images, strict=True) if image == least)
        reserves = (*drawing.reserves[state.seat :], *drawing.reserves[: state.seat])
        transient = state.words[len(state.words) - self.game.rules.transient_words :].tolist()
        return CanonicalForm((*least, *reserves, *transient), turns)

    def equivalent_moves(self, state: State, form: CanonicalForm, moves: Iterable[int]) -> dict[Clicks, list[int]]:
        """Return the moves of a state by canonical form, grouping equal ones."""
        equivalent: dict[Clicks, list[int]] = {}
        for move in moves:
            equivalent.setdefault(self.canonical_clicks(state, form, move), []).append(move)
        return equivalent

    def canonical_clicks(self, state: State, form: CanonicalForm, move: int) -> Clicks:
        """Return the canonical form of a move."""
        clicks = state.clicks_of(move)
        return min(tuple(turn.names.get(click, click) for click in clicks) for turn in form.turns)


def _arranger(symmetry: Sequence[int]) -> Callable[[Sequence[int]], Key]:
    """Return the function for `BoardSymmetry.arrange`."""
    origins = sorted(range(len(symmetry)), key=symmetry.__getitem__)
    return lambda contents: tuple([contents[origin] for origin in origins])


def _content(pile: Pile | None, mover: int, seats: int) -> int:
    """Return a number for the content of a cell: 0 for empty, else by seat counted from the mover and by size."""
    return 0 if pile is None else 1 + (pile.seat - mover) % seats + seats * pile.size
