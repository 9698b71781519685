"""Pauses: all players agree to one, and any of them ends it, or its maximum length does.

Pure.
"""

from ..protocol import Code, Paused, PauseEnded
from ..protocol.refusal import Refusal
from .endings import clocks_ms_of
from .match import Match

PAUSE_MS = 86_400_000
"""Maximum length of a pause; then play goes on by itself."""

PAUSE_GRACE_MS = 5_000
"""How long the running clock stands still after a pause, so that everyone can return to the board."""


def require_no_pause(match: Match) -> None:
    """Refuse what cannot be done during a pause. Raises: Refusal."""
    if match.pause is not None:
        raise Refusal(Code.PAUSED, "The match is paused; end the pause first.")


def begun_pause(match: Match, now_ms: int) -> Paused:
    """Return the event by which an agreed pause begins."""
    return Paused(clocks_ms_of(match, now_ms), now_ms + PAUSE_MS)


def ended_pause(match: Match, seat: int | None) -> PauseEnded:
    """Return the event by which a seat ends the pause, or its maximum length does (None). Raises: Refusal."""
    if match.pause is None:
        raise Refusal(Code.NOT_PAUSED, "The match is not paused.")
    clocks_ms = None if match.clock is None else match.clock.remaining_ms
    return PauseEnded(seat, clocks_ms, PAUSE_GRACE_MS, match.pause.limit_ms)
