"""Turns go round the waiting addresses, and round the players at each."""

import asyncio

from millrace.server.runtime.fair_turns import FairTurns


async def order_of(turns: FairTurns, users: list[tuple[str, str]]) -> list[str]:
    """Return the order in which waiting users get the only turn."""
    order: list[str] = []

    async def one(number: int, address: str, player: str) -> None:
        async with turns.of(address, player):
            order.append(f"{address}{player}{number}")

    async with turns.of("first"):
        waiting = [asyncio.create_task(one(number, *user)) for number, user in enumerate(users)]
        await asyncio.sleep(0)
    await asyncio.gather(*waiting)
    return order


async def test_addresses_take_turns_and_so_do_the_players_at_one_address() -> None:
    users = [*[("A", "ann")] * 3, ("A", "ben"), ("B", "cat")]
    assert await order_of(FairTurns(1), users) == ["Aann0", "Bcat4", "Aben3", "Aann1", "Aann2"]


async def test_a_turn_rests_only_while_others_wait() -> None:
    loop = asyncio.get_running_loop()
    turns = FairTurns(1, rest=1e9)
    for _ in range(3):
        async with turns.of("A"):
            await asyncio.sleep(0)
    async with turns.of("A"):
        waiting = asyncio.create_task(turns.of("B").__aenter__())
        await asyncio.sleep(0)
    await asyncio.sleep(0)
    assert not waiting.done()
    waiting.cancel()
    assert loop.is_running()
