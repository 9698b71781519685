"""Positions as the index of openings knows them: a number for each position up to symmetry. Pure.

Positions that a turn, a reflection or a change of colours maps to each other have the same number, and so do those that
are reached by different moves. Only boards on which matches commonly begin are indexed: a pasture laid by chance occurs
once.
"""

import hashlib
from collections.abc import Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from millrace.engine.book.canonical_form import CanonicalForm, Canonicalizer, Clicks
from millrace.engine.game import Game, Start
from millrace.engine.state import State

Boards: TypeAlias = Mapping[tuple[int, bytes], Canonicalizer]
"""By the number of seats and the board."""

BY_CHANCE = "{seed}"
"""In the set-up text of a start that differs from match to match."""


class IndexedPosition(NamedTuple):
    """A position of the index."""

    number: int
    """64 bits, signed, as databases store it."""
    canonicalizer: Canonicalizer
    form: CanonicalForm

    def move_name(self, state: State, move: int) -> str:
        """Return the canonical form of a move, as text."""
        return name_of(self.canonicalizer.canonical_clicks(state, self.form, move))


def find_position(state: State) -> IndexedPosition | None:
    """Return the index's position of a state, or None if positions on its board are not indexed."""
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
def _boards_of(game: Game) -> Boards:
    """Return the boards of a game that are indexed."""
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
