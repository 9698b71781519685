"""The line of keys at the bottom: what can be pressed now. Pure."""

from .colours import QUIET, STRONG
from .lines_view import Line, Span

LOBBY_KEYS = (("Enter", "pick", ""), ("Tab", "next list", ""))
BOARD_KEYS = (("Arrows Enter", "move", ""), ("Bksp", "undo", ""), ("PgUp/Dn", "step", ""))
KEYS = (("F1", "help", "help"), ("F2", "lobby", "Lobby"), ("^N/^P", "tabs", ""), ("^Z", "suspend", ""))
"""Keys, what they do, and the command of a click on them."""
LAST = ("^Q", "quit", "quit")


def key_line(*, is_lobby: bool, width: int) -> Line:
    """Return as many keys as a line of a width holds; the last one always."""
    spans = list[Span]()
    room = width - _length(LAST)
    for key in (*KEYS[:1], *(LOBBY_KEYS if is_lobby else BOARD_KEYS), *KEYS[1:]):
        if _length(key) <= room:
            spans += _spans(key)
            room -= _length(key)
    return [*spans, *_spans(LAST)]


def _spans(key: tuple[str, str, str]) -> list[Span]:
    name, does, command = key
    return [Span(f" {name}", STRONG, command), Span(f" {does} ", QUIET, command)]


def _length(key: tuple[str, str, str]) -> int:
    return sum(len(span.text) for span in _spans(key))
