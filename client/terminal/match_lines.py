"""Formats a match's seats, clocks and board as lines. Pure."""

from collections.abc import Iterable, Sequence

from millrace.server.protocol import Board, GameInfo

from ..match_view import MatchView
from .board import draw_board
from .formatting import format_face


def match_lines(games: Iterable[GameInfo], view: MatchView, board: Board | None) -> list[str]:
    """Return a line for each seat, then the board; nothing before the first event."""
    if view.created is None or board is None:
        return []
    symbols = symbols_of(next(game.seat_names for game in games if game.name == view.created.game))
    lines = []
    for seat in range(len(view.players)):
        line = f"{'>' if view.to_move == seat else ' '} {symbols[seat]}  {player_name(view, seat)}"
        if (face := view.clock_face(seat)) is not None:
            line += f"  {format_face(face)}"
        if seat < len(view.reserves) and view.reserves[seat]:
            line += f"  ({view.reserves[seat]} in hand)"
        line += "".join(f"  {tally.name} {tally.counts[seat]}" for tally in view.tallies)
        lines.append(line)
    return [*lines, *draw_board(board, view.piles, symbols, view.ground, view.territory)]


def player_name(view: MatchView, seat: int) -> str:
    """Return the name of the player of a seat."""
    player = view.players[seat]
    return player.name if player is not None else "(open)"


def symbols_of(seat_names: Sequence[str]) -> tuple[str, ...]:
    """Return a letter for each seat: the first one of its name if they differ.

    >>> symbols_of(["White", "Black"]), symbols_of(["Blue", "Black"])
    (('W', 'B'), ('A', 'B'))
    """
    letters = tuple(name[0].upper() for name in seat_names)
    return letters if len(set(letters)) == len(letters) else tuple("ABCD"[: len(letters)])
