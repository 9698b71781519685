"""The line of keys at the bottom: what can be pressed now. Pure."""

from .colours import QUIET, STRONG
from .lines_view import Line, Span

LOBBY_KEYS = (("Enter", "pick", ""), ("Tab", "next list", ""))
BOARD_KEYS = (("Arrows Enter", "move", ""), ("Bksp", "undo", ""))
STEPS = ("PgUp/Dn", "step", "")
HELP, LOBBY, TABS, SUSPEND = (
    ("F1", "help", "help"),
    ("F2", "lobby", "Lobby"),
    ("^N/^P", "tabs", ""),
    ("^Z", "suspend", ""),
)
"""Keys, what they do, and the command of a click on them."""
LAST = ("^Q", "quit", "quit")


def key_line(*, is_lobby: bool, has_steps: bool, has_tabs: bool, width: int) -> Line:
    """Return the keys that do something now, as many as a line of a width holds; the last one always."""
    spans = list[Span]()
    room = width - _length(LAST)
    here = LOBBY_KEYS if is_lobby else (*BOARD_KEYS, *[STEPS] * has_steps, LOBBY)
    for key in (HELP, *here, *[TABS] * has_tabs, SUSPEND):
        if _length(key) <= room:
            spans += _spans(key)
            room -= _length(key)
    return [*spans, *_spans(LAST)]


def _spans(key: tuple[str, str, str]) -> list[Span]:
    name, does, command = key
    return [Span(f" {name}", STRONG, command), Span(f" {does} ", QUIET, command)]


def _length(key: tuple[str, str, str]) -> int:
    return sum(len(span.text) for span in _spans(key))
