"""What a terminal can show, by its environment variables. Pure."""

from collections.abc import Mapping

from .glyphs import ASCII, COLOUR, CONTRAST, LIGHT, Glyphs

_WITHOUT_CURSOR = frozenset({"dumb", "unknown"})
_WITHOUT_UTF8 = frozenset({"", "C", "POSIX"})
_COERCED = "C.UTF-8"
"""What Python writes into `LC_CTYPE` at its start in the locale C (PEP 538)."""
_LIGHT_COLOURS = frozenset({"7", *map(str, range(9, 16))})
"""Light backgrounds in `COLORFGBG`, which terminals based on rxvt, and some others, set."""


def suitable_glyphs(environment: Mapping[str, str], encoding: str) -> Glyphs:
    """Return the characters that a terminal can show, for the encoding of standard output.

    >>> [suitable_glyphs({"LANG": "de_DE.UTF-8", **more}, "utf-8").name for more in ({}, {"NO_COLOR": "1"})]
    ['colour', 'contrast']
    >>> suitable_glyphs({"LANG": "C"}, "utf-8").name
    'ascii'
    """
    if not has_utf8(environment, encoding):
        return ASCII
    if environment.get("NO_COLOR"):
        return CONTRAST
    return LIGHT if environment.get("COLORFGBG", "").rpartition(";")[2] in _LIGHT_COLOURS else COLOUR


def can_move_cursor(environment: Mapping[str, str]) -> bool:
    """Return whether a terminal can draw a full screen.

    >>> can_move_cursor({"TERM": "xterm-256color"}), can_move_cursor({"TERM": "dumb"})
    (True, False)
    """
    return environment.get("TERM") not in _WITHOUT_CURSOR


def has_utf8(environment: Mapping[str, str], encoding: str) -> bool:
    """Return whether the locale has UTF-8, by the first of its variables that is set, as in POSIX (locale, 8.2)."""
    if "utf" not in encoding.lower():
        return False
    if "SystemRoot" in environment:  # Windows has no such variables.
        return True
    character_type, language = environment.get("LC_CTYPE", ""), environment.get("LANG", "")
    if character_type == _COERCED and language in _WITHOUT_UTF8:
        character_type = ""
    locale = environment.get("LC_ALL") or character_type or language
    return "utf" in locale.lower()
