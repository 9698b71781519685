"""What clients see of a ladder: its entry in the list, a page of it, and the notifications of its players.

Pure.
"""

from collections.abc import Callable, Iterator, Sequence

from millrace.protocol import (
    IdentityId,
    LadderChange,
    LadderMatch,
    LadderPlace,
    LadderSummary,
    LadderView,
    MatchId,
    Notification,
    NotificationKind,
    Player,
)
from millrace.protocol.ladders import LADDER_ROWS

from .ladder import CLOCK, Challenge, Change, Ladder, Outlook, RatingOf
from .ladder_events import AnyLadderEvent, LadderChallenged, LadderSettled

SHOWN_MATCHES = 20

PlayerOf = Callable[[IdentityId], Player]


def summary_of(ladder: Ladder, reader: IdentityId) -> LadderSummary:
    """Return the entry of a ladder in a player's list."""
    return LadderSummary(ladder.id, ladder.game, ladder.bots, len(ladder.places), ladder.place_of(reader))


def view_of(
    ladder: Ladder, page: int | None, reader: IdentityId, rating_of: RatingOf, player_of: PlayerOf, now_ms: int
) -> LadderView:
    """Return a page of a ladder as a player sees it; None for the page with the player's own place, or the first."""
    outlook = Outlook(ladder, reader, rating_of, now_ms)
    if page is None:
        page = 0 if outlook.place is None else (outlook.place - 1) // LADDER_ROWS
    first = page * LADDER_ROWS
    shown = enumerate(ladder.places[first : first + LADDER_ROWS], first + 1)
    challenges = list(ladder.challenges.items())[::-1]
    own = [(match, challenge) for match, challenge in challenges if reader in challenge.pair]
    others = [(match, challenge) for match, challenge in challenges if reader not in challenge.pair]
    return LadderView(
        summary_of(ladder, reader),
        CLOCK,
        page,
        tuple(_place_of(place, identity, reader, outlook, rating_of, player_of) for place, identity in shown),
        outlook.highest or None,
        tuple(_match_of(match, challenge, player_of) for match, challenge in own),
        tuple(_match_of(match, challenge, player_of) for match, challenge in others[:SHOWN_MATCHES]),
        tuple(_change_of(change, player_of) for change in ladder.changes),
    )


def _place_of(
    place: int, identity: IdentityId, reader: IdentityId, outlook: Outlook, rating_of: RatingOf, player_of: PlayerOf
) -> LadderPlace:
    rating, refusal = rating_of(identity), outlook.refusal_for(identity)
    objection = None if refusal is None or identity == reader else refusal.wording[0]
    incoming = outlook.incoming[identity]
    return LadderPlace(
        place, player_of(identity), rating.points, rating.is_provisional, incoming, refusal is None, objection
    )


def _match_of(match: MatchId, challenge: Challenge, player_of: PlayerOf) -> LadderMatch:
    return LadderMatch(match, player_of(challenge.challenger), player_of(challenge.challenged))


def _change_of(change: Change, player_of: PlayerOf) -> LadderChange:
    opponent = None if change.opponent is None else player_of(change.opponent)
    return LadderChange(change.kind, change.at_ms, player_of(change.identity), change.place, opponent, change.match)


def notices_of(
    before: Ladder, after: Ladder, events: Sequence[AnyLadderEvent], now_ms: int, player_of: PlayerOf
) -> Iterator[tuple[IdentityId, Notification]]:
    """Yield the notifications that follow from events, each with its recipient."""
    for event in events:
        if isinstance(event, LadderChallenged):
            challenger = player_of(event.challenger)
            kind = NotificationKind.LADDER_CHALLENGED
            notice = Notification(kind, event.match, now_ms, event.match, after.game, challenger)
            yield event.challenged, notice
        elif isinstance(event, LadderSettled):
            challenge = before.challenges[event.match]
            for player, opponent in (
                (challenge.challenger, challenge.challenged),
                (challenge.challenged, challenge.challenger),
            ):
                place = after.place_of(player)
                if place != before.place_of(player):
                    kind, of = NotificationKind.LADDER_MOVED, None if place is None else player_of(opponent)
                    yield player, Notification(kind, after.id, now_ms, None, after.game, of, str(place or ""))
