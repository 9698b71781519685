"""What the server tells whenever it changes: a reader gets the latest, also of what was told while it was busy."""

import asyncio
from contextlib import aclosing

from millrace.client.subscriptions import Latest, ListSubscription
from millrace.protocol import LiveMatches, Message, Seeks, WatchLobby


async def test_a_change_while_the_reader_is_busy_is_not_missed() -> None:
    latest = Latest[str]()
    latest.set("one")
    async with asyncio.timeout(10), aclosing(latest.read()) as told:
        assert await anext(told) == "one"
        latest.set("two")
        latest.set("three")
        assert await anext(told) == "three"


def followed_lobby(posted: list[Message]) -> ListSubscription:
    return ListSubscription(posted.append, WatchLobby(), WatchLobby(on=False), LiveMatches, Seeks)


async def test_a_list_that_changes_while_the_reader_is_busy_is_not_missed() -> None:
    lobby = followed_lobby([])
    first, second, third = Seeks(()), Seeks(()), Seeks(())
    async with asyncio.timeout(10), aclosing(lobby.read(Seeks)) as told:
        reading = asyncio.ensure_future(anext(told))
        await asyncio.sleep(0)
        lobby.receive(first)
        assert await reading is first
        lobby.receive(second)
        lobby.receive(third)
        assert await anext(told) is third


async def test_lists_stay_subscribed_while_any_of_them_is_read() -> None:
    posted: list[Message] = []
    lobby = followed_lobby(posted)
    async with asyncio.timeout(10), aclosing(lobby.read(Seeks)) as seeks:
        reading = asyncio.ensure_future(anext(seeks))
        await asyncio.sleep(0)
        lobby.receive(Seeks(()))
        await reading
        async with aclosing(lobby.read(LiveMatches)) as live:
            lobby.receive(LiveMatches(()))
            await anext(live)
        assert posted[-1] == WatchLobby()
    assert posted[-1] == WatchLobby(on=False)


async def test_lists_that_arrive_without_readers_are_not_given_to_the_next_reader() -> None:
    lobby = followed_lobby([])
    lobby.receive(Seeks(()))
    fresh = Seeks(())
    async with asyncio.timeout(10), aclosing(lobby.read(Seeks)) as told:
        reading = asyncio.ensure_future(anext(told))
        await asyncio.sleep(0)
        lobby.receive(fresh)
        assert await reading is fresh
