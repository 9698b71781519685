"""Finding the owner of an account by name, as features need it; the application supplies the function."""

from collections.abc import Awaitable, Callable

from ..protocol import Player

FindPlayer = Callable[[str], Awaitable[Player | None]]
"""Returns the owner of the account of a name."""
