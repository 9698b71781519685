"""Asking and being answered: ids, frames, and those who wait.

No connection of its own. Imported by `client.connection` and `client.account`.
"""

import asyncio
import secrets
from typing import TypeVar

from client.errors import ClientError, RefusedError
from server.protocol import MAX_FRAME_BYTES, Code, CommandId, MalformedError, Message, encode, parse_client_message

Answer = TypeVar("Answer")


def settle(future: asyncio.Future[Answer] | None, result: Answer | ClientError) -> None:
    """Give a waiting caller its answer or error; a caller that waits no longer gets neither."""
    if future is None or future.done():
        return
    if isinstance(result, ClientError):
        future.set_exception(result)
    else:
        future.set_result(result)


def checked(command: Message) -> bytes:
    """Return a command's frame. A frame that no server would take is refused here, where it is known whose it was."""
    frame = encode(command)
    try:
        parse_client_message(frame)
    except MalformedError as error:
        raise RefusedError(Code.MALFORMED, str(error)) from None
    if len(frame) > MAX_FRAME_BYTES:
        raise RefusedError(Code.MALFORMED, f"The frame would be longer than {MAX_FRAME_BYTES} bytes.")
    return frame


def new_id() -> CommandId:
    """Return an id that no other command has."""
    return CommandId(secrets.token_urlsafe(12))
