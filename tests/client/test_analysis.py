"""Searches by the client library: one that is cancelled is stopped on the server too."""

import asyncio

import pytest

from millrace.client.analysis import AnalysisClient
from millrace.client.requests import Requests
from millrace.protocol import Analyse, Done, Line, StopAnalysis, parse_client_message
from tests.serving import PATIENCE_S


class Engine:
    """A server that searches without end, as far as `Requests` knows it."""

    def __init__(self) -> None:
        self.requests = Requests(self.receive)
        self.has_begun = asyncio.Event()
        self.was_stopped = asyncio.Event()

    def receive(self, frame: bytes) -> None:
        match parse_client_message(frame):
            case Analyse():
                self.has_begun.set()
            case StopAnalysis(id=command):
                self.requests.answer(command, Done(command))
                self.was_stopped.set()


async def test_a_cancelled_search_is_stopped() -> None:
    engine = Engine()
    searching = asyncio.create_task(AnalysisClient(engine.requests).evaluate(Line("morris")))
    await engine.has_begun.wait()
    searching.cancel()
    with pytest.raises(asyncio.CancelledError):
        await searching
    async with asyncio.timeout(PATIENCE_S):
        await engine.was_stopped.wait()
