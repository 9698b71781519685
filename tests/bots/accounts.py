"""Bot accounts on the server shared by the tests."""

import itertools
from collections.abc import Awaitable, Callable

PASSWORD = "correct horse battery"

MakeBot = Callable[[], Awaitable[tuple[str, str]]]
"""Creates a bot account and returns its name and an API token."""

_numbers = itertools.count(1)


def new_bot_name() -> str:
    """Return a name that no other test uses on the shared server."""
    return f"Cog-{next(_numbers)}x"
