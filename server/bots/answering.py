"""Shared by all services that answer for bots: each kind of request calls a method of `RequestHandler`."""

from abc import ABC, abstractmethod

from ..runtime import metrics
from .requests import AnalysisResult, BotRequest, RequestHandler, TablebaseLookup
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
