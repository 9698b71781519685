"""Order kept from the command line: what `millrace admin` does, beside a server that runs on the same database."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from server.accounts.names import skeleton_of
from server.order.deeds import Moderation, Order
from server.order.powers import THE_CONSOLE
from server.protocol import CommandId, Deed, MatchId
from server.storage import open_storage
from server.stores import Stores


class Console:
    """The command line at the database of a test's server."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self._moderation = Moderation(stores, lambda: 1_000_000)

    async def do(self, deed: Deed, name: str = "", reason: str = "because", match: str = "") -> None:
        account = await self.stores.accounts.find_named(skeleton_of(name))
        order = Order(deed, reason, CommandId(secrets.token_hex(8)))
        player = None if account is None else account.id
        order = order._replace(player=player, match=MatchId(match) if match else None)
        await self._moderation.carry_out(THE_CONSOLE, order)


@asynccontextmanager
async def console_of(folder: Path) -> AsyncIterator[Console]:
    """Give the command line of the server that `tests.server.conftest.serve` starts."""
    stores = await open_storage(f"sqlite:///{folder / 'test.sqlite3'}")
    yield Console(stores)
    await stores.close()
