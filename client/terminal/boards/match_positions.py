"""The positions of a match since its start, as events arrive: what a replay steps through. Pure."""

from typing import TypeAlias

from millrace.protocol import Board

from ...match_view import MatchView

MatchPositions: TypeAlias = list[tuple[MatchView, Board]]
"""The match and its board after each number of plies, from none on."""


def record_position(positions: MatchPositions, view: MatchView, board: Board) -> None:
    """Add the match after one more event. Events between two plies belong to the position after the first of them."""
    positions[len(view.moves) :] = [(view, board)]
