"""The rules for chat lines: length and characters. Pure.

`server.chat.chat_handler` limits their number.
"""

from millrace.protocol import Code, Player
from millrace.protocol.refusal import Refusal

from ..callers.user_text import require_showable

GUEST_CHARACTERS, ACCOUNT_CHARACTERS = 140, 280
"""Maximum characters of a line."""


def most_characters(player: Player) -> int:
    """Return the maximum length of a player's line."""
    return ACCOUNT_CHARACTERS if player.registered else GUEST_CHARACTERS


def tidy(text: str, characters: int) -> str:
    """Return a line with single spaces between its words.

    >>> tidy("  well \\n  played ", 140)
    'well played'

    Raises: Refusal if the line is empty or too long, or has characters that cannot be shown.
    """
    line = " ".join(text.split())
    if not line:
        raise Refusal(Code.BAD_TEXT, "Your line is empty.")
    if len(line) > characters:
        raise Refusal(Code.BAD_TEXT, "Your line is too long: the maximum is {most} characters.", most=characters)
    require_showable(line)
    return line
