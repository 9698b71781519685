"""What the server tells whenever it changes: a reader gets the latest, also of what was told while it was busy."""

import asyncio
from contextlib import aclosing

from client.lists import FollowedList
from client.meeting import Latest
from server.protocol import Message, Seeks


async def test_what_is_told_while_the_reader_is_busy_is_not_missed() -> None:
    latest = Latest[str]()
    latest.set("one")
    async with asyncio.timeout(10), aclosing(latest.follow()) as told:
        assert await anext(told) == "one"
        latest.set("two")
        latest.set("three")
        assert await anext(told) == "three"


async def test_a_list_that_changes_while_the_reader_is_busy_is_not_missed() -> None:
    posted: list[Message] = []
    seeks = FollowedList[Seeks](posted.append, Seeks(()), Seeks(()))
    first, second = Seeks(()), Seeks(())
    seeks.receive(first)
    async with asyncio.timeout(10), aclosing(seeks.read(lambda: None)) as told:
        assert await anext(told) is first
        seeks.receive(second)
        assert await anext(told) is second
