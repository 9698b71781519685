"""The colours of boards and texts on the full screen, for each set of characters. Pure."""

from collections.abc import Mapping, Sequence
from functools import cache

from rich.style import Style
from textual.theme import Theme

from ..board import Role
from ..glyphs import Glyphs

_SEATS: Mapping[str, str] = {
    "white": "#ffffff",
    "black": "#000000",
    "red": "#ff7b72",
    "blue": "#79b8ff",
    "green": "#7ee787",
    "yellow": "#ffdf5d",
}
_BOARD, _ODD = "#8b5e3c", "#7a5030"
_LINE, _EMPTY = "#e0c097", "#c79f74"
_NAME = "#d9bf9f"
_MARKED: Mapping[str, str] = {
    "cursor": "#f2cc60",
    "chosen": "#d2691e",
    "target": "#4f7a4a",
    "lit": "#b0413e",
    "last": "#6b6f3a",
}
"""The background of a marked cell."""

_PLAIN_MARKS: Mapping[str, Style] = {
    "cursor": Style(reverse=True, bold=True),
    "chosen": Style(reverse=True),
    "target": Style(underline=True, bold=True),
    "lit": Style(bold=True, underline=True),
    "last": Style(bold=True),
}
"""Marks without colours."""

DARK_THEME = Theme(
    "millrace-dark",
    primary="#79b8ff",
    background="#14161a",
    surface="#22262e",
    panel="#1b1e24",
    foreground="#e6e6e6",
    accent="#f2cc60",
    secondary="#a8c7fa",
)
LIGHT_THEME = Theme(
    "millrace-light",
    primary="#0b57a4",
    background="#ffffff",
    surface="#e6e3dc",
    panel="#f4f2ee",
    foreground="#1b1b1b",
    accent="#8a5a00",
    secondary="#0b57a4",
    dark=False,
)
PLAIN_THEME = Theme(
    "millrace-plain",
    primary="#ffffff",
    background="#000000",
    surface="#000000",
    panel="#000000",
    foreground="#ffffff",
    accent="#ffffff",
    secondary="#ffffff",
)
THEMES = (DARK_THEME, LIGHT_THEME, PLAIN_THEME)

QUIET = Style(dim=True)
STRONG = Style(bold=True)
LINK = Style(color="#79b8ff", underline=True)
LIGHT_LINK = Style(color="#0b57a4", underline=True)
URGENT = Style(color="#000000", bgcolor="#f2cc60", bold=True)
PLAIN_LINK = Style(underline=True)
PLAIN_URGENT = Style(reverse=True, bold=True)


@cache
def style_of(role: Role, colours: Sequence[str], has_colours: bool) -> Style:
    """Return the style of the characters of a role. `colours` are those of the seats, as `colours_of` returns them."""
    if not has_colours:
        style = Style(bold=role.kind == "piece", dim=role.kind in ("line", "label", "name"))
        return style + _PLAIN_MARKS[role.mark] if role.mark and role.kind != "line" else style
    if not role.kind:
        return Style()
    if role.kind == "label":
        return QUIET
    background = _MARKED.get(role.mark, _ODD if role.is_odd else _BOARD)
    if role.kind in ("piece", "territory"):
        return Style(color=_SEATS[colours[role.seat]], bgcolor=background, bold=True)
    if role.mark == "cursor":
        return Style(color="#000000", bgcolor=background, bold=True)
    colour = {"line": _LINE, "cell": _LINE if role.mark else _EMPTY, "name": _NAME}.get(role.kind, _EMPTY)
    return Style(color=colour, bgcolor=background)


def seat_style(colour: str, has_colours: bool) -> Style:
    """Return the style of a seat's piece beside its player's name."""
    if not has_colours:
        return STRONG
    return Style(color=_SEATS[colour], bgcolor=_BOARD, bold=True)


def link_style(glyphs: Glyphs, is_urgent: bool) -> Style:
    """Return the style of something to click."""
    if glyphs.has_colours:
        return URGENT if is_urgent else LIGHT_LINK if glyphs.is_light else LINK
    return PLAIN_URGENT if is_urgent else PLAIN_LINK


def theme_of(glyphs: Glyphs) -> str:
    """Return the name of the theme of the screen around boards drawn with some characters."""
    theme = PLAIN_THEME if not glyphs.has_colours else LIGHT_THEME if glyphs.is_light else DARK_THEME
    return theme.name
