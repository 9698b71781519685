"""How often connections are pinged."""

import asyncio
from collections.abc import Callable

import pytest
from websockets.server import ServerProtocol

from millrace.server.web.connection import Connection
from millrace.server.web.pings import PLAYER_PING_SECONDS, SPECTATOR_PING_SECONDS
from tests.server.in_process_server import Served, Visitor
from tests.server.web.two_players import begin


@pytest.fixture
def connection_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Visitor], Connection]:
    """Returns the server's side of a visitor's connection."""
    connections: dict[int, Connection] = {}
    make = Connection.connection_made

    def note(connection: Connection, transport: asyncio.BaseTransport) -> None:
        connections[transport.get_extra_info("peername")[1]] = connection
        make(connection, transport)

    monkeypatch.setattr(Connection, "connection_made", note)
    return lambda visitor: connections[visitor.connection.local_address[1]]


async def test_a_client_from_which_nothing_is_read_need_not_answer_pings(
    served: Served, connection_of: Callable[[Visitor], Connection], monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: asyncio.Queue[None] = asyncio.Queue()
    give_up = Connection._give_up

    def note(connection: Connection, core: ServerProtocol) -> None:
        looks.put_nowait(None)
        give_up(connection, core)

    monkeypatch.setattr(Connection, "_give_up", note)
    monkeypatch.setattr("millrace.server.web.connection.PONG_SECONDS", 0.01)
    ann = await served.visitor()
    connection = connection_of(ann)
    assert connection._core is not None
    connection.intake.hold()
    connection._send_ping(connection._core)
    for _ in range(3):
        await looks.get()
    monkeypatch.undo()
    connection.intake.resume()
    assert (await ann.ask("find_players", prefix="ann"))["type"] == "found_players"


async def test_players_are_pinged_often_and_others_seldom(
    served: Served, connection_of: Callable[[Visitor], Connection]
) -> None:
    def interval(visitor: Visitor) -> float:
        return connection_of(visitor).pings.interval_seconds

    ann, ben, match = await begin(served)
    onlooker, again = await served.visitor(), await served.visitor(ann.token)
    for visitor in (onlooker, again):
        await visitor.say("watch", match=match)
        await visitor.hear_until("watching")
    assert [interval(player) for player in (ann, ben, again)] == [PLAYER_PING_SECONDS] * 3
    assert PLAYER_PING_SECONDS < interval(onlooker) <= SPECTATOR_PING_SECONDS
