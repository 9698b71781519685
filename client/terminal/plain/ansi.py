"""Boards in the colours of a terminal, as escape sequences (ECMA-48, SGR). Pure."""

from collections.abc import Sequence

from ..board import DrawnBoard, Role

_FOREGROUND = {"white": 97, "black": 30, "red": 91, "blue": 94, "green": 92, "yellow": 93}
_ON_BOARD = 44
"""The background of boards, on which every piece can be seen."""
_QUIET = 37


def coloured_lines(drawn: DrawnBoard, colours: Sequence[str]) -> list[str]:
    """Return the lines of a board whose seats have some of the colours of `client.terminal.glyphs`."""
    return [
        "".join(
            run.text if run.role.kind in ("", "label") else f"\x1b[{_codes(run.role, colours)}m{run.text}\x1b[0m"
            for run in row
        )
        for row in drawn.rows
    ]


def coloured_piece(symbol: str, colour: str) -> str:
    """Return a piece of a colour as it looks on the board."""
    return f"\x1b[1;{_FOREGROUND[colour]};{_ON_BOARD}m{symbol}\x1b[0m"


def _codes(role: Role, colours: Sequence[str]) -> str:
    if role.kind in ("piece", "territory"):
        return f"1;{_FOREGROUND[colours[role.seat]]};{_ON_BOARD}"
    return f"{_QUIET};{_ON_BOARD}"
