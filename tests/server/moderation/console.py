"""Moderation from the command line, beside a server that runs on the same database."""

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from millrace.protocol import CommandId, MatchId, ModerationAction
from millrace.server.app.stores import Stores, moderation_actions, open_storage
from millrace.server.callers.names import skeleton_of
from millrace.server.moderation.actions import ActionRequest
from millrace.server.moderation.permissions import CONSOLE


class Console:
    """The command line at the database of a test's server."""

    def __init__(self, stores: Stores) -> None:
        self.stores = stores
        self._moderation = moderation_actions(stores, lambda: 1_000_000)

    async def do(self, action: ModerationAction, name: str = "", reason: str = "because", match: str = "") -> None:
        account = await self.stores.accounts.find_named(skeleton_of(name))
        request = ActionRequest(action, reason, CommandId(secrets.token_hex(8)))
        player = None if account is None else account.id
        request = request._replace(player=player, match=MatchId(match) if match else None)
        await self._moderation.perform(CONSOLE, request)


@asynccontextmanager
async def console_of(folder: Path) -> AsyncIterator[Console]:
    """Give the command line of the server that `tests.server.conftest.serve` starts."""
    stores = await open_storage(f"sqlite:///{folder / 'test.sqlite3'}")
    yield Console(stores)
    await stores.close()
