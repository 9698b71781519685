"""Which players hide when they are online: held in memory, stored first."""

from collections.abc import Iterable

from millrace.protocol import IdentityId


class Visibility:
    """The players who hide when they are online."""

    def __init__(self) -> None:
        self._hidden: set[IdentityId] = set()

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Set whether a player hides when they are online."""
        (self._hidden.add if is_hidden else self._hidden.discard)(identity)

    def replace(self, hidden: Iterable[IdentityId]) -> None:
        """Replace all players who hide when they are online."""
        self._hidden = set(hidden)

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether a player hides when they are online."""
        return identity in self._hidden
