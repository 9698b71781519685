"""The notifications that follow from the events of a match: the interface, which `server.notifications` implements."""

from collections.abc import Callable, Sequence
from typing import Protocol

from millrace.protocol import IdentityId

from ..journal.inbox import InboxChange
from ..matches.match import Match


class MatchNotifier(Protocol):
    """Finds the notifications of matches. They are stored with the events, and announced after that."""

    def changes(
        self, before: Match | None, after: Match, now_ms: int, is_watching: Callable[[IdentityId], bool]
    ) -> Sequence[InboxChange]:
        """Return the changes of inboxes that follow when a match changes, or begins (`before` None)."""

    def announce(self, changes: Sequence[InboxChange]) -> None:
        """Send changes that have been stored, without waiting."""
