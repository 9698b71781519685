"""Pauses: all players agree to one, and any of them ends it, or its maximum length does.

The creator of a match between bots pauses it alone, and lets it go on for a number of plies or for good.

Pure.
"""

from msgspec.structs import replace

from millrace.protocol import Code, Paused, PauseEnded, Player
from millrace.protocol.refusal import Refusal

from .endings import clocks_ms_of
from .match import Match
from .open_offers import OpenOffers, Pause

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


def pause_bots(match: Match, player: Player, now_ms: int) -> Paused:
    """Return the event by which its creator pauses a match between bots. Raises: Refusal."""
    _require_creator(match, player)
    require_no_pause(match)
    return begun_pause(match, now_ms)


def resume_bots(match: Match, player: Player, plies: int | None) -> PauseEnded:
    """Return the event by which its creator lets a match between bots go on, for a number of plies or for good (None).

    Raises: Refusal.
    """
    _require_creator(match, player)
    return replace(ended_pause(match, None), grace_ms=0, plies=plies)


def due_pause(match: Match, now_ms: int) -> Paused | None:
    """Return the pause that begins by itself once bots have made the plies for which their match went on."""
    if match.pauses_at_ply is None or match.pause is not None or match.state.ply < match.pauses_at_ply:
        return None
    return begun_pause(match, now_ms)


def _require_creator(match: Match, player: Player) -> None:
    if match.created.by != player.id or not match.is_between_bots:
        raise Refusal(Code.NOT_FOR_YOU, "Only the creator of a match between bots can pause it.")


def after_pause_event(match: Match, event: Paused | PauseEnded, at_ms: int) -> Match:
    """Return the match after a pause begins or ends."""
    if isinstance(event, Paused):
        limit_ms = None if match.limit_at_ms is None else max(0, match.limit_at_ms - at_ms)
        clock = None if match.clock is None else match.clock.stop(at_ms)
        pause = Pause(event.ends_at_ms, limit_ms)
        return replace(match, clock=clock, limit_at_ms=None, pause=pause, offers=OpenOffers(), pauses_at_ply=None)
    goes_on_at_ms = at_ms + event.grace_ms
    limit_at_ms = None if event.limit_ms is None else goes_on_at_ms + event.limit_ms
    going_on = match.moved_to(match.state, event.clocks_ms, goes_on_at_ms)
    pauses_at_ply = None if event.plies is None else match.state.ply + event.plies
    return replace(
        going_on,
        limit_at_ms=limit_at_ms,
        pause=None,
        present_from_ms=goes_on_at_ms,
        pauses_at_ply=pauses_at_ply,
    )
