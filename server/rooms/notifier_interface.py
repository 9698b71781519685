"""The notifications that follow from the events of a match: the interface, which `server.notifications` implements."""

from collections.abc import Callable, Sequence
from typing import Protocol

from millrace.protocol import IdentityId

from ..matches.match import Match
from ..storage.appends import Insertion


class InboxChanges(Protocol):
    """Changes of inboxes, which are stored with the events that they follow from."""

    @property
    def insertions(self) -> Sequence[Insertion]:
        """What is to be stored with the events."""

    def announce(self) -> None:
        """Send the changes, once they have been stored, without waiting."""


class MatchNotifier(Protocol):
    """Finds the notifications of matches."""

    def changes(
        self, before: Match | None, after: Match, now_ms: int, is_watching: Callable[[IdentityId], bool]
    ) -> InboxChanges | None:
        """Return the changes of inboxes that follow when a match changes, or begins (`before` None)."""
