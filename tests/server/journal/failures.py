"""Appends that fail, as the journal answers them when its disk is full."""

import asyncio

from millrace.server.storage.errors import StorageError


def failed_append(message: str) -> asyncio.Future[bool]:
    """Return the future of an append that cannot be stored."""
    future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
    future.set_exception(StorageError(message))
    return future
