"""The notifications that follow from the events of a tournament.

Pure.
"""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from millrace.protocol import IdentityId, Notification, NotificationKind

from .decisions import players_to_remind
from .events import Accepted, AnyEvent, Opened, Reminded
from .tournament import Tournament
from .tournament_views import PlayerOf

Notice: TypeAlias = tuple[Sequence[IdentityId], Notification]
"""A notification, and who gets it."""


def notices_of(
    tournament: Tournament, events: Sequence[AnyEvent], now_ms: int, player_of: PlayerOf
) -> Iterator[Notice]:
    """Yield the notifications that follow from the latest events of a tournament; bots get none."""
    for event in events:
        for players, notice in _notices(tournament, event, now_ms, player_of):
            yield [each for each in players if not player_of(each).bot], notice


def _notices(tournament: Tournament, event: AnyEvent, now_ms: int, player_of: PlayerOf) -> Iterator[Notice]:
    plan, organiser = tournament.plan, player_of(tournament.by)
    match event:
        case Reminded():
            kind = NotificationKind.TOURNAMENT_SOON
            notice = Notification(kind, tournament.id, now_ms, game=plan.game, explanation=plan.name)
            yield players_to_remind(tournament), notice
        case Accepted(identity, True):
            kind = NotificationKind.SIMUL_ACCEPTED
            yield [identity], Notification(kind, tournament.id, now_ms, game=plan.game, player=organiser)
        case Opened(matches) if plan.kind == "simul":
            for match in matches:
                players = [each for each in tournament.pairs[match].players if each != tournament.by]
                kind = NotificationKind.SIMUL_STARTED
                yield players, Notification(kind, match, now_ms, match, plan.game, organiser)
