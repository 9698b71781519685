"""The ports of a server: given up, taken by another program, and taken back, in both event loops."""

import asyncio
import socket

import pytest
import uvloop

from millrace.server.web.listener import Listener


async def is_open(port: int) -> bool:
    try:
        _, writer = await asyncio.open_connection("127.0.0.1", port)
    except ConnectionRefusedError:
        return False
    writer.close()
    return True


async def lose_and_regain() -> None:
    """Give up a port twice, while another program takes it: after, and before it is bound again."""
    listener = Listener(asyncio.Protocol)
    port = await listener.open("127.0.0.1", 0)
    assert await is_open(port)
    await listener.refuse()
    assert not await is_open(port)
    with socket.create_server(("127.0.0.1", port)), pytest.raises(OSError, match="in use"):
        await listener.listen()
    await listener.listen()
    assert await is_open(port)
    listener.close()
    with socket.create_server(("127.0.0.1", port)):
        await listener.refuse()
        with pytest.raises(OSError, match="in use"):
            await listener.listen()
    await listener.listen()
    assert await is_open(port)
    listener.close()


@pytest.mark.parametrize("run", [asyncio.run, uvloop.run], ids=["asyncio", "uvloop"])
def test_a_port_that_another_program_has_taken_is_tried_again(run: object) -> None:
    run(lose_and_regain())  # type: ignore[operator]
