"""Bots that think until a test answers for them."""

import asyncio
from dataclasses import dataclass, field

from millrace.server.bots.requests import BotRequest


@dataclass
class Thinkers:
    """Replaces the bots: records the requests, and thinks until the test answers or the request is cancelled."""

    asked: "asyncio.Queue[BotRequest]" = field(default_factory=asyncio.Queue)
    withdrawn: "asyncio.Queue[BotRequest]" = field(default_factory=asyncio.Queue)
    answers: "asyncio.Queue[str]" = field(default_factory=asyncio.Queue)

    async def think(self, request: BotRequest) -> str:
        self.asked.put_nowait(request)
        try:
            return await self.answers.get()
        except asyncio.CancelledError:
            self.withdrawn.put_nowait(request)
            raise
