"""The type of a function that finds the owner of an account by name."""

from collections.abc import Awaitable, Callable

from millrace.protocol import Player

FindPlayer = Callable[[str], Awaitable[Player | None]]
"""Returns the owner of the account with that name, or None. Raises: StorageError."""
