"""Changes of inboxes, and those that result from a change of a match. They are stored with its events.

Pure: it gets the match before and after the change, and who is watching it.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypeAlias

from millrace.protocol import IdentityId, Notification, NotificationKind, Player, Termination

from ..matches.match import Match, Phase
from ..matches.rematch import rematch_waits_for


class AddNotification(NamedTuple):
    """Put a notification into an inbox, replacing an older one of the same kind and subject."""

    recipient: IdentityId
    notification: Notification


class WithdrawNotification(NamedTuple):
    """Remove a notification whose subject is settled."""

    recipient: IdentityId
    kind: NotificationKind
    subject: str


InboxChange: TypeAlias = AddNotification | WithdrawNotification

IsWatching = Callable[[IdentityId], bool]
"""Returns whether a player is watching the match."""


class _Facts(NamedTuple):
    """The facts about a match that decide notifications; most events change none of them."""

    phase: Phase
    awaited: IdentityId | None
    """The player to move in a correspondence match."""
    rematch_awaited: frozenset[IdentityId]
    """The players who have not answered a rematch offer."""


def find_changes(earlier: Match | None, match: Match, now_ms: int, is_watching: IsWatching) -> Iterator[InboxChange]:
    """Yield the inbox changes that result from a changed match, or from a new one (`earlier` None)."""
    before, now = None if earlier is None else _facts_of(earlier), _facts_of(match)
    if before == now:
        return
    yield from _of_challenge(before, now, match, now_ms)
    if before is not None and before.awaited is not None and before.awaited != now.awaited:
        yield WithdrawNotification(before.awaited, NotificationKind.YOUR_TURN, match.id)
    if now.awaited is not None and (before is None or before.awaited != now.awaited):
        other = next((player for player in _others(match, now.awaited)), None)
        yield AddNotification(now.awaited, _notification(NotificationKind.YOUR_TURN, match, match.turn_at_ms, other))
    if before is not None and before.phase is Phase.PLAYING and now.phase is Phase.OVER:
        yield from _of_end(match, now_ms, is_watching)
    yield from _of_rematch(before, now, match, now_ms)


def _facts_of(match: Match) -> _Facts:
    return _Facts(match.phase, _awaited(match), _rematch_awaited(match))


def _of_challenge(before: _Facts | None, now: _Facts, match: Match, now_ms: int) -> Iterator[InboxChange]:
    invited, maker = match.created.invited, match.maker
    if invited is None or maker is None:
        return
    if now.phase is Phase.WAITING:
        if before is None:
            yield AddNotification(
                invited, _notification(NotificationKind.CHALLENGED, match, match.created_at_ms or now_ms, maker)
            )
        return
    if before is None or before.phase is not Phase.WAITING:
        return
    yield WithdrawNotification(invited, NotificationKind.CHALLENGED, match.id)
    taker = next((player for player in _others(match, maker.id)), None)
    if now.phase is Phase.PLAYING:
        yield AddNotification(maker.id, _notification(NotificationKind.CHALLENGE_ACCEPTED, match, now_ms, taker))
    elif match.ended is not None and match.ended.reason == Termination.DECLINED:
        yield AddNotification(maker.id, _notification(NotificationKind.CHALLENGE_DECLINED, match, now_ms, None))


def _of_end(match: Match, now_ms: int, is_watching: IsWatching) -> Iterator[InboxChange]:
    assert match.ended is not None
    for identity in sorted(match.people):
        if not is_watching(identity):
            other = next((player for player in _others(match, identity)), None)
            yield AddNotification(
                identity, _notification(NotificationKind.MATCH_ENDED, match, now_ms, other, match.ended.explanation)
            )


def _of_rematch(before: _Facts | None, now: _Facts, match: Match, now_ms: int) -> Iterator[InboxChange]:
    if before is None:
        return
    offerers = (match.players[seat] for seat in sorted(match.rematch_offers))
    by = next((player for player in offerers if player is not None), None)
    for identity in sorted(now.rematch_awaited - before.rematch_awaited):
        yield AddNotification(identity, _notification(NotificationKind.REMATCH_OFFERED, match, now_ms, by))
    for identity in sorted(before.rematch_awaited - now.rematch_awaited):
        yield WithdrawNotification(identity, NotificationKind.REMATCH_OFFERED, match.id)


def _awaited(match: Match) -> IdentityId | None:
    clock = match.created.clock
    if clock is None or not clock.renews:
        return None
    mover = match.mover
    return None if mover is None or mover.level is not None or mover.bot else mover.id


def _rematch_awaited(match: Match) -> frozenset[IdentityId]:
    if not match.rematch_offers:
        return frozenset()
    players = (match.players[seat] for seat in rematch_waits_for(match))
    return frozenset(player.id for player in players if player is not None and not player.bot)


def _others(match: Match, identity: IdentityId) -> Iterator[Player]:
    return (player for player in match.players if player is not None and player.id != identity)


def _notification(
    kind: NotificationKind, match: Match, at_ms: int, player: Player | None, explanation: str = ""
) -> Notification:
    return Notification(kind, match.id, at_ms, match.id, match.created.game, player, explanation)
