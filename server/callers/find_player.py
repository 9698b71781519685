"""The type of the function that finds the owner of an account by name. The application supplies it."""

from collections.abc import Awaitable, Callable

from millrace.protocol import Player

FindPlayer = Callable[[str], Awaitable[Player | None]]
"""Returns the owner of the account with that name, None if there is none. Raises: StorageError."""
