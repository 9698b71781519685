"""The players who hide their online status: held in memory, stored first."""

from collections.abc import Iterable

from millrace.protocol import IdentityId


class Visibility:
    """The players who hide their online status."""

    def __init__(self) -> None:
        self._hidden: set[IdentityId] = set()

    def set_hidden(self, identity: IdentityId, is_hidden: bool) -> None:
        """Set whether a player hides their online status."""
        (self._hidden.add if is_hidden else self._hidden.discard)(identity)

    def replace(self, hidden: Iterable[IdentityId]) -> None:
        """Replace the set of players who hide their online status."""
        self._hidden = set(hidden)

    def is_hidden(self, identity: IdentityId) -> bool:
        """Return whether a player hides their online status."""
        return identity in self._hidden
