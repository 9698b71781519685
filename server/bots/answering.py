"""Shared by all services that answer for bots: each kind of request calls a method of `RequestHandler`."""

from abc import ABC, abstractmethod

from ..runtime import metrics
from .requests import AnalysisResult, BotRequest, DrawnEnding, EndingJudgement, RequestHandler, TablebaseLookup
from .worker_process import Answer, RequestMethod


class AnsweringBots(ABC):
    """Bots that answer every kind of request through `ask`."""

    @abstractmethod
    async def ask(self, method: RequestMethod[Answer], request: BotRequest) -> Answer:
        """Return a worker's answer to a request. Raises: BotError; EngineError for an invalid request."""

    async def choose(self, request: BotRequest) -> str:
        """Return the text of the move to play. Raises: BotError."""
        with metrics.BOT_MOVE_SECONDS.time():
            return await self.ask(RequestHandler.choose, request)

    async def evaluate(self, request: BotRequest) -> int:
        """Return the position's score for the side to move, in hundredths of a man. Raises: BotError."""
        return await self.ask(RequestHandler.evaluate, request)

    async def analyse(self, request: BotRequest) -> AnalysisResult:
        """Analyse a position at the strongest level with its full time. Raises: BotError."""
        return await self.ask(RequestHandler.analyse, request)

    async def look_up(self, request: BotRequest) -> TablebaseLookup:
        """Look a position up in the tablebase. Raises: BotError."""
        return await self.ask(RequestHandler.look_up, request)

    async def draw_endings(self, request: BotRequest) -> tuple[DrawnEnding, ...]:
        """Draw solved positions of a game at random; none if it has no tables. Raises: BotError."""
        return await self.ask(RequestHandler.draw_endings, request)

    async def judge_ending(self, request: BotRequest) -> EndingJudgement | None:
        """Judge the last move of a line by the tables; None if they do not know it. Raises: BotError."""
        return await self.ask(RequestHandler.judge_ending, request)
