"""How often connections are pinged."""

import asyncio

import pytest

from millrace.server.web.connection import Connection
from millrace.server.web.pings import PLAYER_PING_SECONDS, SPECTATOR_PING_SECONDS
from tests.server.in_process_server import Served, Visitor
from tests.server.web.two_players import begin


async def test_players_are_pinged_often_and_others_seldom(served: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    connections: dict[int, Connection] = {}
    make = Connection.connection_made

    def note(connection: Connection, transport: asyncio.BaseTransport) -> None:
        connections[transport.get_extra_info("peername")[1]] = connection
        make(connection, transport)

    monkeypatch.setattr(Connection, "connection_made", note)

    def interval(visitor: Visitor) -> float:
        return connections[visitor.connection.local_address[1]].ping_seconds

    ann, ben, match = await begin(served)
    onlooker, again = await served.visitor(), await served.visitor(ann.token)
    for visitor in (onlooker, again):
        await visitor.say("watch", match=match)
        await visitor.hear_until("watching")
    assert [interval(player) for player in (ann, ben, again)] == [PLAYER_PING_SECONDS] * 3
    assert PLAYER_PING_SECONDS < interval(onlooker) <= SPECTATOR_PING_SECONDS
