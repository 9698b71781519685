"""A client that is gone before the server has asked who it is."""

import asyncio
from typing import Any

from millrace.server.players.accounts.cookies import network_of
from millrace.server.web.backlog import Backlog
from millrace.server.web.connection import UNKNOWN_ADDRESS, Connection
from millrace.server.web.outboxes import Outboxes
from tests.server.callers.users import LimitsOnClock


class Gone(asyncio.Transport):
    """A transport whose client has sent RST: the system no longer knows its address."""

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return default


class Door:
    """A web server that notes whom it admits."""

    def __init__(self) -> None:
        self.networks: list[str] = []

    def begin(self, connection: Connection) -> None:
        self.networks.append(network_of(connection.peer))

    def remove(self, connection: Connection) -> None:
        self.networks.remove(network_of(connection.peer))


async def test_a_client_without_an_address_has_an_unknown_one() -> None:
    door = Door()
    connection = Connection(door, Outboxes(LimitsOnClock().limits), Backlog())  # type: ignore[arg-type]
    connection.connection_made(Gone())
    assert door.networks == [UNKNOWN_ADDRESS]
    connection.connection_lost(None)
    assert door.networks == []
