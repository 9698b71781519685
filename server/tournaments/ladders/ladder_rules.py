"""The rules of ladders: who may challenge whom, and how results move players. Pure.

Places are counted from 1, at the top. The rules are those of online-go.com.
"""

from collections.abc import Mapping
from typing import NamedTuple

from millrace.protocol import Code, IdentityId
from millrace.protocol.refusal import Refusal

MOST_ABOVE = 10
"""How many places above any player may challenge."""
SHARE_ABOVE = 40
"""Which percentage of the players above any player may challenge."""
ABOVE_RATING_RANK = 5
"""How many places above the rank by rating any player may challenge."""
REST_MS = 7 * 24 * 3600 * 1000
"""How long two players who have met do not meet again."""
MOST_INCOMING = ((3, 11), (4, 6), (5, 1))
"""How many challenges a player gets at a time, and the place from which on that holds."""

Places = tuple[IdentityId, ...]


class Challenged(NamedTuple):
    """What counts of a player whom another one may want to challenge."""

    place: int | None
    """None if the player is not on the ladder."""
    incoming: int = 0
    """How many challenges to the player are being played."""
    are_playing: bool = False
    """Whether the two are playing each other on the ladder now."""
    met_at_ms: int | None = None
    """When their latest match ended."""


def join(places: Places, player: IdentityId) -> Places:
    """Return the ladder with a player at the bottom; unchanged if the player is on it."""
    return places if player in places else (*places, player)


def drop(places: Places, player: IdentityId) -> Places:
    """Return the ladder without a player."""
    return tuple(each for each in places if each != player)


def highest_place(places: Places, player: IdentityId, ratings: Mapping[IdentityId, int]) -> int:
    """Return the highest place that a player may challenge: the best of the three rules.

    Those are ten places above, 40% of the players above (rounded up), and five places above the rank by rating,
    in which the higher place decides between equals.
    """
    above = places.index(player)
    rank = 1 + sum((-ratings[other], place) < (-ratings[player], above) for place, other in enumerate(places))
    reaches = (above + 1 - MOST_ABOVE, above + 1 - -(-above * SHARE_ABOVE // 100), rank - ABOVE_RATING_RANK)
    return max(1, min(reaches))


def most_incoming(place: int) -> int:
    """Return how many challenges the player at a place gets at a time.

    >>> [most_incoming(place) for place in (1, 5, 6, 10, 11)]
    [5, 5, 4, 4, 3]
    """
    return next(count for count, first in MOST_INCOMING if place >= first)


def find_refusal(place: int | None, highest: int, challenged: Challenged, now_ms: int) -> Refusal | None:
    """Return why the player at a place may not challenge another; None if the challenge begins a match.

    `place` is None for a player who is not on the ladder, `highest` the highest place that the player may challenge.
    """
    if place is None:
        return Refusal(Code.NOT_JOINED, "Join the ladder to challenge its players.")
    if challenged.place is None:
        return Refusal(Code.NOT_JOINED, "This player is not on the ladder.")
    if challenged.place >= place:
        return Refusal(Code.NOT_ABOVE, "You can challenge only players above you.")
    if challenged.place < highest:
        return Refusal(Code.TOO_FAR_ABOVE, "The highest place that you can challenge is {place}.", place=highest)
    if challenged.are_playing:
        return Refusal(Code.ALREADY_PLAYING, "You are playing each other on this ladder.")
    return _find_refusal_for_now(challenged.place, challenged, now_ms)


def _find_refusal_for_now(place: int, challenged: Challenged, now_ms: int) -> Refusal | None:
    if challenged.incoming >= most_incoming(place):
        return Refusal(
            Code.TOO_MANY_CHALLENGES,
            "This player has {count} challenges, the most at this place; wait until one is over.",
            count=challenged.incoming,
        )
    rests_until_ms = None if challenged.met_at_ms is None else challenged.met_at_ms + REST_MS
    if rests_until_ms is not None and now_ms < rests_until_ms:
        left_ms = rests_until_ms - now_ms
        return Refusal(Code.MET_RECENTLY, "You have met recently; challenge again in {left_ms}.", left_ms=left_ms)
    return None


def settle(places: Places, winner: IdentityId, loser: IdentityId, *, on_time: bool = False) -> Places:
    """Return the ladder after a match that a player has won.

    A winner from below takes the place above the loser, as both stand at the end of the match. A player who loses on
    time drops out, after the winner has taken the place. Players who have left the ladder meanwhile move nobody.

    >>> settle(("ann", "ben", "cem", "dot"), "dot", "ben")
    ('ann', 'dot', 'ben', 'cem')
    """
    if loser in places and winner in places and places.index(winner) > places.index(loser):
        others = drop(places, winner)
        place = others.index(loser)
        places = (*others[:place], winner, *others[place:])
    return drop(places, loser) if on_time else places
