"""The notifications that result from a match's events, stored with them, for players who want them.

Implements `server.rooms.notifier_interface.MatchNotifier`.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from millrace.protocol import IdentityId, Notification, NotificationKind

from ..callers.presence import Presence
from ..matches.match import Match, Phase
from ..players.profiles.blocks import Blocks
from ..players.profiles.directory import Visibility
from ..players.profiles.follows import Follows
from ..storage.appends import Insertion
from .inbox import Inbox
from .match_notifications import AddNotification, InboxChange, find_changes
from .notification_store import inbox_insertions


class PreparedChanges(NamedTuple):
    """Changes of inboxes, which are stored with the events that they follow from."""

    inbox: Inbox
    changes: Sequence[InboxChange]

    @property
    def insertions(self) -> Sequence[Insertion]:
        """What is to be stored with the events."""
        return inbox_insertions(self.changes)

    def announce(self) -> None:
        """Send the changes, once they have been stored, without waiting."""
        self.inbox.announce(self.changes)


@dataclass(eq=False)
class InboxNotifier:
    """Finds the notifications of matches, and sends them through the inbox."""

    _inbox: Inbox
    _presence: Presence
    _visibility: Visibility
    _follows: Follows
    _blocks: Blocks

    def changes(
        self, before: Match | None, after: Match, now_ms: int, is_watching: Callable[[IdentityId], bool]
    ) -> PreparedChanges | None:
        """Return the changes of inboxes that follow when a match changes, or begins (`before` None)."""
        changes = list(find_changes(before, after, now_ms, is_watching))
        if after.phase is Phase.PLAYING and (before is None or before.phase is Phase.WAITING):
            changes += self._of_followed_playing(after, now_ms)
        due = tuple(change for change in changes if self._is_due(change))
        return PreparedChanges(self._inbox, due) if due else None

    def prepare(self, recipients: Sequence[IdentityId], notification: Notification) -> PreparedChanges:
        """Return the changes that notify those of some players who want it."""
        wanted = [each for each in recipients if self._inbox.wants(each, notification.kind)]
        return PreparedChanges(self._inbox, [AddNotification(each, notification) for each in wanted])

    def _is_due(self, change: InboxChange) -> bool:
        """Return whether the recipient wants a notification, and no block forbids a challenge."""
        if not isinstance(change, AddNotification):
            return True
        recipient, notification = change
        if not self._inbox.wants(recipient, notification.kind):
            return False
        challenger = notification.player if notification.kind is NotificationKind.CHALLENGED else None
        return challenger is None or not self._blocks.are_apart(challenger.id, recipient)

    def _of_followed_playing(self, match: Match, now_ms: int) -> Iterator[AddNotification]:
        for player in match.players:
            if player is None or not player.registered or self._visibility.is_hidden(player.id):
                continue
            kind = NotificationKind.FOLLOWED_PLAYING
            notification = Notification(kind, player.id, now_ms, match.id, match.created.game, player)
            online = filter(self._presence.is_online, self._follows.followers_of(player.id) - match.people)
            yield from (AddNotification(to, notification) for to in online)
