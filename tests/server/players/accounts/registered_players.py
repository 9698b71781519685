"""Players with accounts, at bare sockets."""

from tests.server.in_process_server import Frame, Served, Visitor

PASSWORD = "correct horse battery"


async def ask(visitor: Visitor, type_: str, **fields: object) -> Frame:
    """Send something about an account and return the answer, whatever it is."""
    id_ = f"{type_}-{len(visitor.read)}"
    await visitor.say(type_, id=id_, **fields)
    while True:
        frame = await visitor.hear()
        if frame.get("id") == id_:
            return frame


async def register(served: Served, name: str = "Beatrix", visitor: Visitor | None = None) -> Visitor:
    """Return a visitor who has an account, and its session's token as `token`."""
    visitor = visitor or await served.visitor()
    answer = await ask(visitor, "register", name=name, password=PASSWORD)
    assert answer["type"] == "signed_in", answer
    return await served.visitor(answer["token"])


async def closed(visitor: Visitor) -> tuple[int, str, str]:
    """Return the close code, the reason, and the code of the refusal that went before."""
    code, reason = await visitor.closed()
    refused = [frame for frame in visitor.read if frame["type"] == "refused"]
    return code, reason, refused[-1]["code"]
