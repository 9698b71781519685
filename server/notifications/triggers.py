"""Watches matches, and who comes online, for what somebody is to be given notice of.

Which notices follow is decided in `server.notifications.match_changes`, and they are stored by
`server.notifications.inbox`.
"""

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Protocol, TypeVar

from ..bus.bus import Bus
from ..bus.events import MatchChanged, PresenceChanged
from ..identity.presence import Presence
from ..matches.match import Match, Phase
from ..profiles.blocks import Blocks
from ..profiles.directory import PlayerDirectory
from ..profiles.follows import Follows
from ..protocol import IdentityId, MatchId, Notification, NotificationKind, Player
from ..system_clock import NowMs
from .inbox import Inbox
from .match_changes import MatchSnapshot, find_changes
from .store import AddNotification, InboxChange

_Key = TypeVar("_Key")
_Value = TypeVar("_Value")

REMEMBERED = 100_000
"""Of so many matches it is known how they stood; those that have not changed for longest are forgotten first."""
BEGUN_MS = 10_000
"""A match that is seen for the first time has begun just now if it did so no longer ago."""
AWAY_MS = 600_000
"""Whoever comes back sooner has not come online anew."""


class Matches(Protocol):
    """Where matches are served: `server.rooms.rooms.Rooms`."""

    def peek(self, match: MatchId) -> Match | None:
        """Return a match that is being served, as it stands."""

    def is_at(self, match: MatchId, identity: IdentityId) -> bool:
        """Return whether somebody looks at a match that is being served."""


class NotificationTriggers:
    """What was last seen of every match and of everyone who went."""

    def __init__(
        self,
        inbox: Inbox,
        matches: Matches,
        presence: Presence,
        directory: PlayerDirectory,
        follows: Follows,
        blocks: Blocks,
        bus: Bus,
        now_ms: NowMs,
    ) -> None:
        self._inbox = inbox
        self._matches = matches
        self._presence = presence
        self._directory = directory
        self._follows = follows
        self._blocks = blocks
        self._now_ms = now_ms
        self._snapshots: OrderedDict[MatchId, MatchSnapshot] = OrderedDict()
        self._gone_ms: OrderedDict[IdentityId, int] = OrderedDict()
        bus.subscribe(MatchChanged, lambda event: self._changed(event.match))
        bus.subscribe(PresenceChanged, lambda event: self._came_or_went(event.player, event.online))

    def _changed(self, match_id: MatchId) -> None:
        match = self._matches.peek(match_id)
        if match is None:
            return
        before, now = self._snapshots.get(match_id), MatchSnapshot.of(match)
        if before == now:
            return
        _remember(self._snapshots, match_id, now)
        now_ms = self._now_ms()
        changes = find_changes(before, match, now_ms, self._is_at(match_id))
        self._inbox.note(change for change in changes if not self._is_unwelcome(change))
        if now.phase is Phase.PLAYING and (before is None or before.phase is Phase.WAITING):
            self._inbox.note(self._of_begun(match, now_ms))

    def _is_at(self, match: MatchId) -> Callable[[IdentityId], bool]:
        return lambda identity: self._matches.is_at(match, identity)

    def _is_unwelcome(self, change: InboxChange) -> bool:
        """Return whether a notice comes from somebody with whom a block keeps its reader apart."""
        if not isinstance(change, AddNotification) or change.notification.kind is not NotificationKind.CHALLENGED:
            return False
        by = change.notification.player
        return by is not None and self._blocks.are_apart(by.id, change.recipient)

    def _of_begun(self, match: Match, now_ms: int) -> Iterator[InboxChange]:
        if match.state.ply > 0 or now_ms - match.turn_at_ms > BEGUN_MS:
            return
        for player in match.players:
            if player is None or not player.registered or self._directory.is_hidden(player.id):
                continue
            kind = NotificationKind.FOLLOWED_PLAYING
            notification = Notification(kind, player.id, now_ms, match.id, match.created.game, player)
            yield from (
                AddNotification(recipient, notification)
                for recipient in self._followers_here(player)
                if recipient not in match.people
            )

    def _came_or_went(self, player: Player, is_here: bool) -> None:
        now_ms = self._now_ms()
        if not player.registered or self._directory.is_hidden(player.id):
            return
        if not is_here:
            _remember(self._gone_ms, player.id, now_ms)
        elif now_ms - self._gone_ms.get(player.id, now_ms - AWAY_MS) >= AWAY_MS:
            notification = Notification(NotificationKind.FOLLOWED_ONLINE, player.id, now_ms, player=player)
            self._inbox.note(AddNotification(recipient, notification) for recipient in self._followers_here(player))

    def _followers_here(self, player: Player) -> Iterator[IdentityId]:
        return (recipient for recipient in self._follows.followers_of(player.id) if self._presence.is_online(recipient))


def _remember(memory: OrderedDict[_Key, _Value], key: _Key, value: _Value) -> None:
    memory[key] = value
    memory.move_to_end(key)
    if len(memory) > REMEMBERED:
        memory.popitem(last=False)
