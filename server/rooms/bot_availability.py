"""Whether bots can play: what players hear while bots are starting, or while something keeps them from starting."""

import asyncio
from collections.abc import Coroutine, Sequence

import structlog

from millrace.protocol import BotAvailability, ChangePlayer, Code, FillSeat, MatchCommand, Offer, Rematch
from millrace.protocol.frames import WireFrame, frame_of
from millrace.protocol.refusal import Refusal

from ..bots.requests import Bots
from ..callers.caller import Caller
from ..callers.feature import Feature
from ..callers.presence import Presence
from ..matches.match import Match
from ..runtime import metrics

log = structlog.get_logger()

LOOK_SECONDS = 1.0
"""Interval of looking whether bots can play."""

STARTING = "The bots are still starting. Levels 1 to 3 play first, the others as soon as they are ready."
UNAVAILABLE = "The bots cannot start right now. Millrace keeps trying; people can play each other."
FAULTY = "The code of this game is faulty, so it has no bots here. People can play each other."


def require_bots(bots: Bots, game: str) -> None:
    """Refuse a match with a bot that something keeps from starting. Raises: Refusal."""
    if game in bots.faulty_games:
        raise Refusal(Code.BOTS_UNAVAILABLE, FAULTY)
    if not are_offered(bots, game):
        raise Refusal(Code.BOTS_UNAVAILABLE, UNAVAILABLE)


def require_bots_for(command: MatchCommand, match: Match, bots: Bots) -> None:
    """Refuse a command that needs bots to play on, if something keeps them from starting. Raises: Refusal."""
    match command:
        case FillSeat(level=level) | ChangePlayer(level=level) | Offer(level=level):
            needs_bots = level is not None
        case Rematch():
            needs_bots = any(player is not None and player.level is not None for player in match.players)
        case _:
            needs_bots = False
    if needs_bots:
        require_bots(bots, match.state.game.name)


def are_offered(bots: Bots, game: str) -> bool:
    """Return whether the bots of a game can play, now or as soon as they have started."""
    return game not in bots.faulty_games and not (bots.trouble and game in bots.waiting_games)


class BotAvailabilityNews(Feature):
    """Watches the bots, and tells players and the operator when that changes."""

    def __init__(self, bots: Bots, presence: Presence) -> None:
        self._bots = bots
        self._presence = presence
        self._told = BotAvailability((), is_starting=False, explanation="")
        self._trouble = ""

    def background(self) -> Sequence[Coroutine[None, None, None]]:
        """Return the watch over the bots."""
        return (self._watch(),)

    def greet(self, caller: Caller) -> Sequence[WireFrame]:  # noqa: ARG002  # the same for everyone
        """Return the message about bots that cannot play yet."""
        news = self._news()
        return (frame_of(news),) if news.waiting else ()

    async def _watch(self) -> None:
        while True:
            self.note_trouble()
            news = self._news()
            metrics.BOT_GAMES_WAITING.set(len(news.waiting))
            if news != self._told:
                self._told, frames = news, (frame_of(news),)
                for player in self._presence.players_here:
                    self._presence.deliver(player.id, frames)
            await asyncio.sleep(LOOK_SECONDS)

    def _news(self) -> BotAvailability:
        waiting = self._bots.waiting_games
        faulty = tuple(game for game in waiting if game in self._bots.faulty_games)
        is_starting = not self._bots.trouble and len(faulty) < len(waiting)
        explanation = STARTING if is_starting else UNAVAILABLE
        return BotAvailability(
            waiting,
            is_starting,
            explanation if len(faulty) < len(waiting) else "",
            faulty,
            FAULTY if faulty else "",
        )

    def note_trouble(self) -> str:
        """Log what keeps bots from starting, once, and that nothing does any more; return what does."""
        trouble = self._bots.trouble
        metrics.BOTS_IN_TROUBLE.set(bool(trouble))
        if trouble and not self._trouble:
            log.error("bots cannot start; the server keeps trying", reason=trouble)
        elif self._trouble and not trouble:
            log.warning("bots can start again")
        self._trouble = trouble
        return trouble
