"""Sending lobby commands in tests."""

from typing import Any

from tests.server.in_process_server import Frame, Visitor


async def ask(visitor: Visitor, type_: str, **fields: Any) -> Frame:
    """Send a command and return its answer."""
    id_ = fields.setdefault("id", "c")
    await visitor.say(type_, **fields)
    while True:
        frame = await visitor.hear()
        if frame.get("id") == id_:
            return frame
