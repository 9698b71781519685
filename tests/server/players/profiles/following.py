"""Several registered players at once, and following them."""

from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.players.accounts.registered_players import ask, register


async def register_all(served: Served, *names: str) -> list[Visitor]:
    """Return visitors with accounts of these names, each on one connection."""
    visitors = []
    for name in names:
        guest = await served.visitor()
        visitors.append(await register(served, name, guest))
        await guest.connection.close()
    return visitors


async def follow(visitor: Visitor, other: Visitor, on: bool = True) -> Frame:
    return await ask(visitor, "follow", player=other.player["id"], on=on)
