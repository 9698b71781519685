"""Endings that a player or the server brings about: the events, and the sentences that explain them.

Pure. The endings by a game's rules are explained by the game (`Game.endings`).
"""

from collections.abc import Mapping
from typing import Literal

from millrace.engine.game import GENERAL_REASONS
from millrace.protocol import Ended, Event, Left, Termination

from .match import Match

EXPLANATIONS: Mapping[str, str] = {
    **GENERAL_REASONS,
    Termination.ABORTED: "the match was called off",
    Termination.DECLINED: "the challenge was declined",
}
"""The explanations that need no name."""
RESTARTED = "the server was restarted"
UNWATCHED = "nobody has watched the bots for a day"
AGREED = "the players agreed on a draw"

_FORFEITS: Mapping[str, str] = {
    Termination.RESIGNATION: "{} resigned",
    Termination.TIME: "{}'s time ran out",
    Termination.ABSENCE: "{} was away too long",
}
"""How a seat loses a match of two."""


def forfeit(match: Match, seat: int, reason: Literal["resignation", "time", "absence"], now_ms: int) -> Event:
    """Return the event by which a seat gives up: of two seats the other wins, three or four go on without it."""
    if len(match.players) > 2:
        return Left(seat, reason)
    ranks = tuple(2 if other == seat else 1 for other in range(2))
    name = match.state.game.seat_names[seat]
    return Ended(ranks, reason, _FORFEITS[reason].format(name), seat, clocks_ms_of(match, now_ms))


def called_off(explanation: str) -> Ended:
    """Return the event by which the server ends an untimed match without a result."""
    return Ended(None, Termination.ABORTED, explanation)


def clocks_ms_of(match: Match, now_ms: int) -> tuple[int, ...] | None:
    """Return what each seat has left, None in an untimed match."""
    return None if match.clock is None else match.clock.left_ms(now_ms)
