"""Players with accounts, at bare sockets, and follows between them."""

from typing import Any

from millrace.protocol import VERSION
from tests.server.in_process_server import Frame, Served, Visitor

PASSWORD = "correct horse battery"
NEW_PASSWORD = "an even longer password"


async def ask(visitor: Visitor, type_: str, **fields: object) -> Frame:
    """Send something about an account and return the answer, whatever it is."""
    return await visitor.ask(type_, **fields)


async def register(served: Served, name: str = "Beatrix", visitor: Visitor | None = None) -> Visitor:
    """Return a visitor who has an account, and its session's token as `token`."""
    visitor = visitor or await served.visitor()
    answer = await visitor.ask("register", name=name, password=PASSWORD)
    assert answer["type"] == "signed_in", answer
    return await served.visitor(answer["token"])


async def register_all(served: Served, *names: str) -> list[Visitor]:
    """Return visitors with accounts of these names, each on one connection."""
    visitors = []
    for name in names:
        guest = await served.visitor()
        visitors.append(await register(served, name, guest))
        await guest.connection.close()
    return visitors


async def follow(visitor: Visitor, other: Visitor, on: bool = True) -> Frame:
    return await visitor.ask("follow", player=other.player["id"], on=on)


async def closed(visitor: Visitor) -> tuple[int, str, str]:
    """Return the close code, the reason, and the code of the last refusal."""
    code, reason = await visitor.closed()
    refused = [frame for frame in visitor.read if frame["type"] == "refused"]
    return code, reason, refused[-1]["code"]


async def refusal_of_hello(served: Served, token: str, **options: Any) -> str:
    visitor = await served.socket(**options)
    await visitor.say("hello", version=VERSION, token=token)
    return str((await visitor.hear())["code"])


async def ticket_of(served: Served, name: str = "Beatrix") -> str:
    guest = await served.visitor()
    answer = await guest.ask("sign_in", name=name, password=PASSWORD, browser=True)
    assert answer["token"] == ""
    return str(answer["ticket"])
