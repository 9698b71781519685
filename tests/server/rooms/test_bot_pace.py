"""A bot's pace against people, measured by what the room sleeps, never by the time of a test."""

import asyncio

import pytest

from tests.server.in_process_server import Serve

CLOCK = {"initial_ms": 6_000}


@pytest.mark.parametrize(("clock", "expected"), [(None, 0.7), (CLOCK, 0.1)])
async def test_a_bot_keeps_a_pace_that_its_clock_can_bear(
    serve: Serve, monkeypatch: pytest.MonkeyPatch, clock: dict[str, int] | None, expected: float
) -> None:
    served = await serve(bot_pace_seconds=0.7)
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    ann = await served.visitor()
    monkeypatch.setattr("millrace.server.rooms.bot_moves.asyncio", _Asyncio(sleep))
    seats = [{"occupant": "me"}, {"occupant": "bot", "level": 1}]
    match = (await ann.ask("create", id="c", game="morris", seats=seats, clock=clock))["match"]
    await ann.say("watch", match=match)
    await ann.ask("play", id="p", match=match, seat=0, move="d6")
    while (await ann.hear_event("moved"))["event"]["seat"] != 1:
        pass
    assert slept[0] == pytest.approx(expected, abs=0.05)


class _Asyncio:
    """`asyncio` with another `sleep`."""

    def __init__(self, sleep: object) -> None:
        self.sleep = sleep

    def __getattr__(self, name: str) -> object:
        return getattr(asyncio, name)
