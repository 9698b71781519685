"""Accounts of bots on the server that the tests share."""

import itertools
from collections.abc import Awaitable, Callable

PASSWORD = "correct horse battery"

MakeBot = Callable[[], Awaitable[tuple[str, str]]]
"""Makes the account of a bot and returns its name and an API token."""

_numbers = itertools.count(1)


def new_bot_name() -> str:
    """Return a name that no other test uses on the shared server."""
    return f"Cog-{next(_numbers)}x"
