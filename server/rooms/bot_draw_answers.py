"""Bots' answers to draw offers in one match, by the score of the position."""

from ..bots.requests import Bots, Urgency
from ..matches.automatic_events import with_automatic_events
from ..matches.match import Match
from ..matches.offers import answer_of_bot, bot_to_answer
from ..matches.referee import Decision
from .background_tasks import ApplyDecision
from .bot_moves import bot_request
from .event_log import EventLog

ANSWERING_LEVEL = 6
"""The level that scores the position for bots of every level: it errs seldom and costs little."""


class BotDrawAnswers:
    """Answers draw offers for the bots of one match."""

    def __init__(self, bots: Bots, log: EventLog, apply: ApplyDecision) -> None:
        self._bots = bots
        self._log = log
        self._apply = apply

    @property
    def is_due(self) -> bool:
        """Whether a bot has yet to answer a draw offer."""
        return bot_to_answer(self._log.match) is not None

    async def answer(self) -> None:
        """Have a bot answer the open draw offer, if it has not yet. Raises: Refusal."""
        asked = self._log.match
        seat = bot_to_answer(asked)
        if seat is None:
            return
        score = await self._bots.evaluate(bot_request(asked, seat, ANSWERING_LEVEL, Urgency.ANALYSIS))

        def decide_answer(match: Match, now_ms: int) -> Decision:
            if bot_to_answer(match) != seat or match.state is not asked.state:
                return Decision([])
            return Decision(with_automatic_events(match, [answer_of_bot(match, seat, score)], now_ms))

        await self._apply(decide_answer)
