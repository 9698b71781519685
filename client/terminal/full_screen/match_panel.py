"""The panel beside a board: seats with clocks, status, buttons, moves and news. Pure."""

from collections.abc import Sequence

from ..boards import Picture
from ..boards.open_board import Seat
from ..commands.actions import Action
from ..formatting import format_face
from ..glyphs import Glyphs, colours_of, symbols_of
from ..wrapping import wrap_lines
from .colours import QUIET, STRONG, link_style, seat_style
from .lines_view import Line, Span

WIDEST_MOVE = 10
"""Columns that most moves need, with a space."""
LOW_TIME_MS = 20_000
"""Below this, a running clock is shown strongly."""


def seat_lines(picture: Picture, glyphs: Glyphs, width: int) -> list[Line]:
    """Return at least two lines for each seat: player and clock, then pieces in hand and tallies, if any."""
    names = picture.game.seat_names
    symbols, colours = symbols_of(names, glyphs), colours_of(names)
    lines: list[Line] = []
    for seat, symbol, colour in zip(picture.seats, symbols, colours, strict=False):
        piece = Span(f" {symbol} ", seat_style(colour, glyphs.has_colours))
        lines.append(_name_line(seat, piece, width))
        details = [f"{seat.reserve} in hand"] if seat.reserve else []
        if not details or len(picture.seats) == 2:
            # Many seats have one line each, and first of all their pieces in hand.
            details += [f"{name} {count}" for name, count in seat.counts]
        details += seat.notes
        lines += [[Span(f"     {line}", QUIET)] for line in wrap_lines(", ".join(details), width - 5, 0) or [""]]
    return lines


def text_lines(text: str, width: int) -> list[Line]:
    """Return a text in lines of a width."""
    return [[Span(line, STRONG)] for line in wrap_lines(text, width, 0)] or [[Span("")]]


def heading_line(title: str, count: str, width: int) -> Line:
    """Return a title with a count at the right end of the line."""
    room = max(1, width - len(count))
    return [Span(f"{title[: room - 1]:<{room}}{count}", QUIET)]


def action_lines(actions: Sequence[Action], glyphs: Glyphs, width: int) -> list[Line]:
    """Return buttons in lines of a width."""
    lines: list[list[Span]] = [[]]
    used = 0
    for action in actions:
        label = f"[{action.label}]"
        if used and used + 1 + len(label) > width:
            lines.append([])
            used = 0
        if used:
            lines[-1].append(Span(" "))
            used += 1
        command = f"?{action.command}" if action.is_final else action.command
        lines[-1].append(Span(label, link_style(glyphs, action.is_urgent), command))
        used += len(label)
    return list(lines)


def move_lines(moves: Sequence[str], seats: int, width: int, height: int) -> list[Line]:
    """Return the last moves, as many as fit: a round of all seats in each line, or one after the other."""
    column = (width - 4) // max(1, seats)
    if column < WIDEST_MOVE:
        text = "  ".join(f"{ply}. {move}" for ply, move in enumerate(moves, 1))
        return [[Span(line)] for line in wrap_lines(text, width, 0)[-height:]]
    rounds = [moves[first : first + seats] for first in range(0, len(moves), seats)]
    first = max(0, len(rounds) - height)
    return [
        [Span(f"{number:>3} ", QUIET), Span("".join(f"{move[: column - 1]:<{column}}" for move in played))]
        for number, played in enumerate(rounds[first:], first + 1)
    ]


def _name_line(seat: Seat, piece: Span, width: int) -> Line:
    pointer = Span(">" if seat.is_to_move else " ", STRONG)
    clock = "" if seat.clock is None else format_face(seat.clock)
    room = max(4, width - 5 - len(clock) - (1 if clock else 0))
    title = seat.name if len(seat.name) <= room else seat.name.removesuffix(" (you)")
    name = Span(f" {title[:room]:<{room}}", STRONG if seat.is_to_move else Span("").style)
    if seat.clock is None:
        return [pointer, piece, name]
    is_low = seat.is_running and seat.clock.left_ms < LOW_TIME_MS
    return [pointer, piece, name, Span(clock, STRONG if is_low or seat.is_running else QUIET)]
