"""Draw offers: when a draw can be offered, how a bot answers, and the draw that is agreed.

Pure. What every kind of offer has in common is `server.matches.offers`.
"""

from millrace.protocol import Code, Ended, Termination
from millrace.protocol.refusal import Refusal

from .departures import rank_behind
from .endings import AGREED, clocks_ms_of
from .match import Match

BOT_DRAWS_FROM_PLY = 30
"""The first ply from which a bot accepts a draw in an equal position; before it, only if it is losing."""

BOT_LOSING_SCORE = -100
"""The score, in hundredths of a man, from which on a bot counts as losing."""


def require_draw_possible(match: Match) -> None:
    """Refuse a draw offer in a match that cannot have one, or has barely begun. Raises: Refusal."""
    has_bots = any(player is not None and player.level is not None for player in match.players)
    if has_bots and len(match.players) > 2:
        raise Refusal(Code.OFFER_NOT_POSSIBLE, "A bot is playing in this match, and bots always play to the end.")
    if match.state.ply < len(match.players):
        raise Refusal(Code.OFFER_TOO_SOON, "The match has only just started; you can still call it off.")


def agreed_draw(match: Match, now_ms: int) -> Ended:
    """Return the end of a match whose players all agreed to a draw; those who left rank last."""
    ranks = rank_behind((1,) * len(match.players), match.departures)
    explanation = AGREED
    return Ended(ranks, Termination.AGREEMENT, explanation, None, clocks_ms_of(match, now_ms))


def accepts_draw(score: int, ply: int) -> bool:
    """Return whether a bot accepts a draw at this score, from its own view, in hundredths of a man.

    >>> accepts_draw(0, ply=10), accepts_draw(0, ply=40), accepts_draw(35, ply=40), accepts_draw(-250, ply=10)
    (False, True, False, True)
    """
    return score <= BOT_LOSING_SCORE or (score <= 0 and ply >= BOT_DRAWS_FROM_PLY)
