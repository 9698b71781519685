"""Positions in the index of openings: a number for each position up to symmetry, and names for some. Pure.

Positions that differ by a rotation, a reflection or a change of colours have the same number, and so do positions
reached by different moves. Only boards on which matches commonly begin are indexed: a random pasture occurs once.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from millrace.engine.book.canonical_form import CanonicalForm, Canonicalizer, Clicks
from millrace.engine.game import Game, Start
from millrace.engine.state import State

Boards: TypeAlias = Mapping[tuple[int, bytes], Canonicalizer]
"""By number of seats and board."""

BY_CHANCE = "{seed}"
"""Marks the set-up text of a start that differs from match to match."""


class IndexedPosition(NamedTuple):
    """A position in the index."""

    number: int
    """64 bits, signed, as in databases."""
    canonicalizer: Canonicalizer
    form: CanonicalForm

    def move_name(self, state: State, move: int) -> str:
        """Return the canonical form of a move, as text."""
        return name_of(self.canonicalizer.canonical_clicks(state, self.form, move))


def find_position(state: State) -> IndexedPosition | None:
    """Return a state's position in the index, or None if positions on its board are not indexed."""
    if state.drawing.ground is not None:
        return None
    seats, board = _board_of(state.start)
    canonicalizer = _boards_of(state.game).get((seats, board))
    if canonicalizer is None:
        return None
    form = canonicalizer.canonical_form(state)
    digest = hashlib.blake2b(f"{state.game.name} {seats} {form.key} ".encode() + board, digest_size=8).digest()
    return IndexedPosition(int.from_bytes(digest, signed=True), canonicalizer, form)


def name_of(clicks: Clicks) -> str:
    """Return the canonical clicks of a move as text."""
    return " ".join(clicks)


@cache
def names_by_position(game: Game) -> Mapping[int, str]:
    """Return the names of a game's openings by the numbers of their positions."""
    names = {}
    for opening in game.named_openings:
        position = find_position(State.from_moves(game, "", opening.moves))
        assert position is not None
        names[position.number] = opening.name
    return names


def opening_of(state: State) -> str:
    """Return the name of the latest named position on the way to a state, or nothing.

    >>> from millrace.engine.games import find_game
    >>> opening_of(State.from_moves(find_game("morris"), "", ("f4", "d6", "a7")))
    'Four-way point: adjacent reply'
    """
    names = names_by_position(state.game)
    longest = max((len(opening.moves) for opening in state.game.named_openings), default=0)
    for each in reversed(state.line[: longest + 1]):
        position = find_position(each)
        if position is not None and position.number in names:
            return names[position.number]
    return ""


@cache
def _boards_of(game: Game) -> Boards:
    """Return the indexed boards of a game."""
    boards: dict[tuple[int, bytes], Canonicalizer] = {}
    for start in _starts_of(game):
        if start.game is None or start.game is game:
            boards.setdefault(_board_of(start), Canonicalizer(game, start))
    return boards


def _starts_of(game: Game) -> Iterator[Start]:
    yield game.texts.parse_setup("")
    for named in game.starts:
        if BY_CHANCE not in named.setup:
            yield game.texts.parse_setup(named.setup)


def _board_of(start: Start) -> tuple[int, bytes]:
    return start.seats, b"".join(array.tobytes() for array in start.board)
