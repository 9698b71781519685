"""What triggers notifications: changed matches, players coming online, and reports that moderators upheld.

`server.notifications.match_changes` decides what follows from a match, `server.notifications.inbox` stores it.
"""

from collections import OrderedDict
from collections.abc import Iterator
from functools import partial
from typing import TypeVar

from ..bus.bus import Bus
from ..bus.events import MatchChanged, PlyMade, PresenceChanged, ReportUpheld
from ..identity.presence import Presence
from ..matches.match import Match, Phase
from ..profiles.blocks import Blocks
from ..profiles.directory import PlayerDirectory
from ..profiles.follows import Follows
from ..protocol import IdentityId, MatchId, Notification, NotificationKind, Player
from ..rooms.rooms import Rooms
from ..system_clock import NowMs
from .inbox import Inbox
from .match_changes import MatchSnapshot, find_changes
from .store import AddNotification, InboxChange

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

REMEMBERED = 100_000
"""Maximum matches, and players who went offline, to remember; the least recently changed are dropped first."""
BEGUN_MS = 10_000
"""A match seen for the first time counts as just begun up to this age."""
AWAY_MS = 600_000
"""Minimum time offline before a player counts as coming online again."""


class NotificationTriggers:
    """Follows the bus and puts notifications into the inbox."""

    def __init__(
        self,
        inbox: Inbox,
        rooms: Rooms,
        presence: Presence,
        directory: PlayerDirectory,
        follows: Follows,
        blocks: Blocks,
        bus: Bus,
        now_ms: NowMs,
    ) -> None:
        self._inbox = inbox
        self._rooms = rooms
        self._presence = presence
        self._directory = directory
        self._follows = follows
        self._blocks = blocks
        self._now_ms = now_ms
        self._snapshots: OrderedDict[MatchId, MatchSnapshot] = OrderedDict()
        self._offline_since_ms: OrderedDict[IdentityId, int] = OrderedDict()
        bus.subscribe(MatchChanged, lambda event: self._match_changed(event.match))
        bus.subscribe(PlyMade, self._ply_made)
        bus.subscribe(PresenceChanged, self._presence_changed)
        bus.subscribe(ReportUpheld, self._report_upheld)

    def _ply_made(self, event: PlyMade) -> None:
        """Notify the player to move in a correspondence match; a ply changes nothing else that is notified."""
        match = self._rooms.peek(event.match)
        if match is not None and match.clock is not None and match.clock.settings.renews:
            self._match_changed(event.match)

    def _match_changed(self, match_id: MatchId) -> None:
        match = self._rooms.peek(match_id)
        if match is None:
            return
        before, now = self._snapshots.get(match.id), MatchSnapshot.of(match)
        if before == now:
            return
        _remember(self._snapshots, match.id, now)
        now_ms = self._now_ms()
        changes = find_changes(before, match, now_ms, partial(self._rooms.is_at, match.id))
        self._inbox.change(change for change in changes if not self._is_blocked(change))
        if now.phase is Phase.PLAYING and (before is None or before.phase is Phase.WAITING):
            self._inbox.change(self._of_followed_playing(match, now_ms))

    def _presence_changed(self, event: PresenceChanged) -> None:
        player, now_ms = event.player, self._now_ms()
        if not player.registered or self._directory.is_hidden(player.id):
            return
        if not event.online:
            _remember(self._offline_since_ms, player.id, now_ms)
        elif now_ms - self._offline_since_ms.get(player.id, now_ms - AWAY_MS) >= AWAY_MS:
            notification = Notification(NotificationKind.FOLLOWED_ONLINE, player.id, now_ms, player=player)
            self._inbox.change(AddNotification(to, notification) for to in self._online_followers(player))

    def _report_upheld(self, event: ReportUpheld) -> None:
        notification = Notification(NotificationKind.REPORT_UPHELD, event.subject, self._now_ms(), event.match)
        self._inbox.change([AddNotification(event.reporter, notification)])

    def _is_blocked(self, change: InboxChange) -> bool:
        """Return whether a challenge comes from a player who blocks the recipient, or the other way round."""
        if not isinstance(change, AddNotification) or change.notification.kind is not NotificationKind.CHALLENGED:
            return False
        challenger = change.notification.player
        return challenger is not None and self._blocks.are_apart(challenger.id, change.recipient)

    def _of_followed_playing(self, match: Match, now_ms: int) -> Iterator[AddNotification]:
        if match.state.ply > 0 or now_ms - match.turn_at_ms > BEGUN_MS:
            return
        for player in match.players:
            if player is None or not player.registered or self._directory.is_hidden(player.id):
                continue
            kind = NotificationKind.FOLLOWED_PLAYING
            notification = Notification(kind, player.id, now_ms, match.id, match.created.game, player)
            followers = (to for to in self._online_followers(player) if to not in match.people)
            yield from (AddNotification(to, notification) for to in followers)

    def _online_followers(self, player: Player) -> Iterator[IdentityId]:
        return filter(self._presence.is_online, self._follows.followers_of(player.id))


def _remember(memory: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
