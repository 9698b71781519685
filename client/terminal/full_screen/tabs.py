"""The line of tabs: the lobby, the open boards, and the state of the connection. Pure."""

import re
from collections.abc import Sequence

from ..boards import OpenBoard
from ..glyphs import Glyphs
from .colours import STRONG, link_style
from .lines_view import Line, Span

LOBBY = "Lobby"
"""The first tab's title, and the command of a click on it."""
TITLE_WIDTH = 24
"""Maximum characters of a tab's title."""
MARGIN = 6
"""Columns of a tab around its title: spaces, its number and a mark."""


def tab_line(
    boards: Sequence[OpenBoard], shown: OpenBoard | None, is_connected: bool, glyphs: Glyphs, width: int
) -> Line:
    """Return the tabs in a line of a width; instead of them, that the connection broke. `shown` is None while the lobby
    is.
    """
    if not is_connected:
        return [Span(" Connection lost; connecting again ...", STRONG)]
    spans = [_tab(LOBBY, LOBBY, shown is None, glyphs)]
    room = (width - len(LOBBY) - 2) // max(1, len(boards)) - MARGIN
    for board in boards:
        mark = "*" if board.needs_attention and board is not shown else ""
        title = shortened(board.title, min(TITLE_WIDTH, room))
        spans.append(_tab(f"{board.number} {mark}{title}", f"tab {board.number}", board is shown, glyphs))
    return spans


def shortened(title: str, length: int) -> str:
    """Return a title shortened to its space, cut at a comma, a colon or a dash if there is one.

    >>> shortened("Battle Sheep: Bot, level 1", 24), shortened("Replay Ann - Ben", 14), shortened("Battle Sheep", 4)
    ('Battle Sheep: Bot', 'Replay Ann', 'Batt')
    """
    if len(title) <= length:
        return title
    ends = [found.start() for found in re.finditer(", |: | - ", title[: length + 2])]
    return title[: ends[-1] if ends else max(1, length)]


def _tab(label: str, command: str, is_shown: bool, glyphs: Glyphs) -> Span:
    return Span(f" {label} ", link_style(glyphs, is_urgent=True) if is_shown else STRONG, command)
