"""What is said to those upon whom moderators act, and how deeds are called.

Pure.
"""

from collections.abc import Mapping
from datetime import UTC, datetime

from ..protocol import Deed
from .restriction_store import Restriction

VOIDED = "a moderator has voided the match: its result does not count"

NAME_CHOSEN = "The name before was removed."

DEED_WORDS: Mapping[Deed, str] = {
    Deed.MAKE_ADMIN: "made admin",
    Deed.MAKE_MODERATOR: "made moderator",
    Deed.TAKE_ROLE: "role taken",
    Deed.MUTE: "muted",
    Deed.UNMUTE: "unmuted",
    Deed.CLOSE: "account closed",
    Deed.REOPEN: "account reopened",
    Deed.REMOVE_NAME: "name removed",
    Deed.CHOOSE_NAME: "another name chosen",
    Deed.CLEAR_BIO: "bio cleared",
    Deed.REMOVE_LINE: "line removed",
    Deed.VOID: "match voided",
    Deed.UPHOLD: "reports upheld",
    Deed.DISMISS: "reports dismissed",
}


def muted_words(mute: Restriction) -> str:
    """Return why somebody may not talk, and until when.

    >>> muted_words(Restriction("Insults.", 1_764_000_000_000))
    'A moderator has muted you until 24 November 2025, 16:00 UTC. The reason: Insults.'
    """
    until = "" if mute.until_ms is None else f" until {_moment(mute.until_ms)}"
    return f"A moderator has muted you{until}. The reason: {_sentence(mute.words)}"


def closed_words(closure: Restriction) -> str:
    """Return why nobody can sign in to an account.

    >>> closed_words(Restriction("cheating"))
    'A moderator has closed this account. The reason: cheating.'
    """
    return f"A moderator has closed this account. The reason: {_sentence(closure.words)}"


def _moment(at_ms: int) -> str:
    moment = datetime.fromtimestamp(at_ms / 1000, UTC)
    return f"{moment.day} {moment:%B %Y, %H:%M} UTC"


def _sentence(words: str) -> str:
    return words if words.endswith((".", "!", "?")) else f"{words}."
