"""Triggers for notifications besides matches: players coming online, reports upheld by moderators, and shared studies.

`server.notifications.match_notifier` handles matches.
"""

from collections import OrderedDict

from millrace.protocol import IdentityId, Notification, NotificationKind

from ..callers.presence import Presence
from ..cluster.bus import Bus
from ..cluster.events import PresenceChanged, ReportUpheld
from ..learning.studies.study_news import StudyShared
from ..players.profiles.directory import Visibility
from ..players.profiles.follows import Follows
from ..runtime.system_clock import NowMs
from .inbox import Inbox
from .match_notifications import AddNotification

REMEMBERED = 100_000
"""Maximum number of remembered players who went offline; the earliest are dropped first."""
AWAY_MS = 600_000
"""Minimum time offline before a player counts as coming online again."""


class NotificationTriggers:
    """Follows the bus and puts notifications into the inbox."""

    def __init__(
        self, inbox: Inbox, presence: Presence, visibility: Visibility, follows: Follows, bus: Bus, now_ms: NowMs
    ) -> None:
        self._inbox = inbox
        self._presence = presence
        self._visibility = visibility
        self._follows = follows
        self._now_ms = now_ms
        self._offline_since_ms: OrderedDict[IdentityId, int] = OrderedDict()
        bus.subscribe(PresenceChanged, self._presence_changed)
        bus.subscribe(ReportUpheld, self._report_upheld)
        bus.subscribe(StudyShared, self._study_shared)

    def _presence_changed(self, event: PresenceChanged) -> None:
        player, now_ms = event.player, self._now_ms()
        if not player.registered or self._visibility.is_hidden(player.id):
            return
        if not event.online:
            self._remember_offline(player.id, now_ms)
        elif event.is_here and now_ms - self._offline_since_ms.get(player.id, now_ms - AWAY_MS) >= AWAY_MS:
            notification = Notification(NotificationKind.FOLLOWED_ONLINE, player.id, now_ms, player=player)
            online = filter(self._presence.is_online, self._follows.followers_of(player.id))
            self._inbox.add(AddNotification(follower, notification) for follower in online)

    def _report_upheld(self, event: ReportUpheld) -> None:
        """Send the notification stored with the decision. Every node reads the decision."""
        if self._inbox.wants(event.reporter, NotificationKind.REPORT_UPHELD):
            notification = Notification(NotificationKind.REPORT_UPHELD, event.subject, event.at_ms, event.match)
            self._inbox.announce_here([AddNotification(event.reporter, notification)])

    def _study_shared(self, event: StudyShared) -> None:
        kind, now_ms = NotificationKind.STUDY_SHARED, self._now_ms()
        notification = Notification(kind, event.study, now_ms, player=event.by, explanation=event.title)
        self._inbox.add([AddNotification(event.editor, notification)])

    def _remember_offline(self, identity: IdentityId, now_ms: int) -> None:
        self._offline_since_ms[identity] = now_ms
        self._offline_since_ms.move_to_end(identity)
        if len(self._offline_since_ms) > REMEMBERED:
            self._offline_since_ms.popitem(last=False)
