"""What may be written in a chat, and how much: the length of a line, its characters, flooding and repeats.

Pure: the time is an argument.
"""

from typing import NamedTuple

from ..accounts.rate_limits import SlidingWindow
from ..identity.user_text import require_showable
from ..protocol import Code, Player
from ..protocol.refusal import Refusal

WINDOW_MS = 10_000
"""The stretch of time in which a player's lines are counted."""

REPEAT_MS = 60_000
"""The same line may be written again after this time."""


class LineLimits(NamedTuple):
    """How much a player may write."""

    lines: int
    """Maximum lines in `WINDOW_MS`."""
    characters: int
    """Maximum characters of a line."""


GUEST = LineLimits(2, 140)
ACCOUNT = LineLimits(4, 280)


def limits_of(player: Player) -> LineLimits:
    """Return the limits of a player."""
    return ACCOUNT if player.registered else GUEST


def tidy(text: str, limits: LineLimits) -> str:
    """Return a line with single spaces between its words.

    >>> tidy("  well \\n  played ", GUEST)
    'well played'

    Raises: Refusal if the line is empty or too long, or has characters that cannot be shown.
    """
    line = " ".join(text.split())
    if not line:
        raise Refusal(Code.BAD_TEXT, "Your line is empty.")
    if len(line) > limits.characters:
        raise Refusal(Code.BAD_TEXT, f"Your line is too long: the maximum is {limits.characters} characters.")
    require_showable(line)
    return line


class FloodControl:
    """Refuses players who write too many lines, or the same line again."""

    def __init__(self) -> None:
        self._lines = {limits: SlidingWindow(limits.lines, WINDOW_MS) for limits in (GUEST, ACCOUNT)}
        self._repeats = SlidingWindow(1, REPEAT_MS)

    def count(self, player: Player, line: str, now_ms: int) -> None:
        """Count a line that a player is about to write. Raises: Refusal, and does not count it, if it is too much."""
        limits = limits_of(player)
        repeat_key = f"{player.id} {line.casefold()}"
        if not self._lines[limits].has_room(player.id, now_ms):
            explanation = f"You can write {limits.lines} lines in {WINDOW_MS // 1000} seconds; please wait a moment."
            raise Refusal(Code.RATE_LIMITED, explanation)
        if not self._repeats.try_add(repeat_key, now_ms):
            raise Refusal(Code.RATE_LIMITED, "You have just written that.")
        self._lines[limits].add(player.id, now_ms)
